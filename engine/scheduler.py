"""Scheduler: activated procedures, and the broker's own background work of an instance.

The queue monitors decide when a reader is launched; here it becomes a session with the queue's EXECUTE AS, and its end
is told back. One background Work runs what has become due: dialog timers, lifetimes, delayed messages, the 5-second
rule. How these run, as threads or in one loop, is the driver's business.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from functools import partial
from typing import Any

import msgspec

from sbql.catalog.interrupts import held
from sbql.catalog.records import Database, EventNotification, Principal, Queue
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.activated_task import ActivatedTask
from sbql.engine.broker import ddl_effects, deadlines, query_notifications, queue_monitor, route_requests, trace
from sbql.engine.client import Client
from sbql.engine.last_resort import failure_line
from sbql.engine.notices import ACTIVATION, QUEUE_DISABLED, Notices, wants_activation
from sbql.engine.patience import Patience
from sbql.engine.ports import Instance
from sbql.engine.query_notices import QueryNotices
from sbql.engine.route_finder import RouteFinder
from sbql.engine.transaction.transaction import Transaction
from sbql.engine.work import Suspend, Waiter, Work
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["Scheduler"]

_ACTIVATION = Client("sbql activation")
_PAUSE = 5.0
"""Seconds after which work that the store refused is tried again."""
_FAR = 400 * 86400.0
"""Deadlines further away are looked at again when something happens."""
_LOG_PAUSE = 0.25
"""Seconds for which lines of the error log are gathered before they are written."""


class Scheduler:
    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.tasks: dict[int, ActivatedTask] = {}
        self._launches: deque[int] = deque()
        self._changing = 0
        self._disables: deque[int] = deque()
        self._waiter = Waiter()
        self._store, self._disable_store = instance.store.connect(), instance.store.connect()
        self._disable_mutex = threading.RLock()
        self._notices = Notices(instance)
        self.finish = self._notices.finish
        self._routes = RouteFinder(instance)
        self._queries = QueryNotices(instance)
        self._idle = threading.Condition()
        self._idlers = 0
        """Threads that wait for idleness: without them the end of a transaction tells nobody."""
        self._is_stopping = False
        self._log_is_due: float | None = None
        self._asks_again: float | None = None
        """When monitors whose tasks could not be started ask for them again."""
        self._refused: SqlError | None = None
        """Why a poisoned queue could not be disabled, when the store refused."""
        self.tasks_started: Counter[int] = Counter()
        """Activated tasks by database_id."""
        self.tasks_aborted: Counter[int] = Counter()
        self.failures = 0
        """Activated tasks that let an error out or ended badly, and queues that poison has switched off."""

    # --- life ----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Watch the queues with activation and begin the background work."""
        instance = self.instance
        instance.broker.listeners.append(self._on_broker_event)
        instance.driver.spawn(self._background(), None, "sbql-broker", self._background_ended)
        with instance.broker.mutex:
            route_requests.adopt(instance.broker)
            query_notifications.adopt(instance.broker)
            for queue in instance.catalog.all(Queue):
                self._watch(instance.catalog, queue)
            instance.notified.catalog_changed()
        self.after_transaction()

    def stop(self) -> None:
        """No more launches; running tasks are cancelled."""
        self._is_stopping = True
        for task in list(self.tasks.values()):
            task.session.cancel()
        self._waiter.wake()

    def wake(self) -> None:
        """There is something for the background work."""
        self._waiter.wake()

    def log_has_grown(self) -> None:
        """Lines of the error log are to be kept in the store: soon, and many at a time, for commits wait for each."""
        if self._log_is_due is None:
            self._log_is_due = self.instance.host.now() + _LOG_PAUSE
            self._waiter.wake()

    def _background_ended(self, failure: BaseException | None) -> None:
        if failure is not None and not self._is_stopping:
            self.instance.log(9645, f"The broker's background work ended with an error: {failure!r}")

    # --- events --------------------------------------------------------------------------------------------

    def _on_broker_event(self, event: str, queue_id: int) -> None:
        """Called by the broker, its mutex held."""
        if event == "launch":
            self._launches.append(queue_id)
        elif event == "disable":
            self._disables.append(queue_id)
        self._waiter.wake()

    def after_transaction(self) -> None:
        """A transaction has ended, its locks are free: disable poisoned queues, start what it asked for."""
        if self._disables:
            try:
                self._disable_poisoned()
            except SqlError as error:  # the background work tries again, and the log says why
                self._refused = error
                self._waiter.wake()
        if self._launches:
            self._launch_all()
        if self._routes or self._queries:
            self._waiter.wake()
        if self._idlers:
            self._notify_idle()

    def _launch_all(self) -> None:
        broker = self.instance.broker
        while self._launches and not self._is_stopping:
            with broker.mutex:
                if not self._launches:  # another thread was quicker
                    break
                queue_id = self._launches.popleft()
                self._changing += 1
            try:
                self._launch(queue_id)
            finally:
                with broker.mutex:
                    self._changing -= 1

    def broker_reloaded(self) -> None:
        """The broker's memory was read anew: who waits for a message looks again, tasks start for what is there."""
        state = self.instance.broker
        with state.mutex:
            route_requests.adopt(state)
            query_notifications.adopt(state)
            for queue in list(state.queues.values()):
                queue.wake_all()
            queue_monitor.commits_lost(state)
            queue_monitor.look_again(state, None, self.instance.host.now())
        self._waiter.wake()

    def resume(self, database_id: int) -> None:
        """Activated tasks may start again in a database: whatever waits for one is launched by the background work."""
        with self.instance.broker.mutex:
            queue_monitor.look_again(self.instance.broker, database_id, self.instance.host.now())
        self._waiter.wake()

    def reader_waits(self) -> None:
        """A session has begun to wait in RECEIVE: somebody may wait for idleness."""
        self._notify_idle()

    def catalog_changed(self, before: CatalogSnapshot, after: CatalogSnapshot) -> None:
        """A DDL transaction was published, the broker's mutex held: watch and unwatch queues."""
        old = {q.id: q for q in before.all(Queue)}
        notified = self._notices.catalog_changed(before, after)
        broker_was_on = {d.id: not d.broker_problem for d in before.all(Database)}
        for queue in after.all(Queue):
            previous = old.pop(queue.id, None)
            database = after.get(Database, 0, queue.database_id)
            is_same_broker = database is not None and broker_was_on.get(database.id) == (not database.broker_problem)
            if previous is not queue or not is_same_broker or queue.id in notified:
                self._watch(after, queue)
        for queue_id in old:
            queue_monitor.remove(self.instance.broker, queue_id)
            self._stop_tasks(queue_id, 28085)
            ddl_effects.queue_dropped(self.instance.broker, queue_id)
        ddl_effects.catalog_changed(self.instance.broker, before, after, self.instance.host.now())
        self.instance.notified.catalog_changed()
        self._waiter.wake()

    def _watch(self, snapshot: CatalogSnapshot, queue: Queue) -> None:
        state, now = self.instance.broker, self.instance.host.now()
        database = snapshot.get(Database, 0, queue.database_id)
        is_active = queue.is_activation_enabled
        max_readers = queue.max_readers if is_active else None
        wanted = queue.is_enabled and database is not None and not database.broker_problem
        wanted = wanted and (is_active or wants_activation(snapshot, queue))
        if not wanted and queue.id in state.monitors:
            queue_monitor.remove(state, queue.id)
            self._stop_tasks(queue.id, 28086)
        if not queue.is_enabled:
            ddl_effects.queue_disabled(state, queue.id)
        if not wanted:
            return
        if queue.id in state.monitors:
            queue_monitor.altered(state, queue.id, max_readers, now)
        else:
            if max_readers == 0:
                self.instance.log(9648, sql_error(9648, queue.name).message)
            running = sum(1 for t in list(self.tasks.values()) if t.queue.id == queue.id)
            queue_monitor.watch(state, queue.database_id, queue.id, max_readers, now, running)

    def _stop_tasks(self, queue_id: int, number: int) -> None:
        """Tasks that wait in RECEIVE end, for their queue or its activation went off, or away. Those that work go on:
        they learn it when they look at the queue again."""
        for task in list(self.tasks.values()):
            if task.queue.id == queue_id and task.is_in_receive:
                task.end(number)

    # --- activated procedures ------------------------------------------------------------------------------

    def _launch(self, queue_id: int) -> None:
        instance = self.instance
        queue = instance.catalog.queue_of_id(queue_id)
        login = instance.catalog.get(Principal, 0, 1)
        if queue_id not in instance.broker.monitors:
            return  # queue, activation or broker went off since it was asked for
        if queue is not None and not queue.is_activation_enabled:
            self._notices.note(ACTIVATION, queue_id)
            self._waiter.wake()
            return
        if queue is None or queue.activation_procedure is None or login is None:
            return
        if instance.departures.is_claimed(queue.database_id):
            with instance.broker.mutex:
                queue_monitor.not_started(instance.broker, queue_id)
            return
        try:
            self._start_task(login, queue)
        except BaseException as error:
            # As if it had not been asked for: it is asked for again a while later, or by the next message.
            with instance.broker.mutex:
                queue_monitor.not_started(instance.broker, queue_id)
            self._asks_again = instance.host.now() + _PAUSE
            self._waiter.wake()
            if not isinstance(error, Exception):
                raise
            if not self._is_stopping:
                instance.log_failure(f"in starting a task of the queue {instance.queue_name(queue_id)}", error)

    def _start_task(self, login: Principal, queue: Queue) -> None:
        """Raises RuntimeError when the computer has no thread for it; nothing of it is left then."""
        session = self.instance.new_session(login, queue.database_id, is_background=True, client=_ACTIVATION)
        try:
            task = ActivatedTask(self.instance, session, queue)
            self.tasks[session.spid] = task
            work, ended = self._run_task(task), partial(self._task_ended, task)
            self.instance.driver.spawn(work, session, f"activated {queue.name}", ended)
        except BaseException:
            self.tasks.pop(session.spid, None)
            session.close()
            raise

    def _run_task(self, task: ActivatedTask) -> Work:
        self.tasks_started[task.queue.database_id] += 1
        self._trace(task, "started")
        yield from task.run()

    def _trace(self, task: ActivatedTask, subclass: str) -> None:
        state, queue = self.instance.broker, task.queue
        if state.trace is not None:
            running = sum(1 for other in list(self.tasks.values()) if other.queue.id == queue.id)
            columns = {"object_id": queue.id, "database_id": queue.database_id, "spid": task.session.spid}
            trace.emit(state.trace, "Broker:Activation", subclass, integer_data=running, **columns)

    def _task_ended(self, task: ActivatedTask, failure: BaseException | None) -> None:
        instance = self.instance
        with instance.broker.mutex:
            self.tasks.pop(task.session.spid, None)
            self._changing += 1
        monitor = instance.broker.monitors.get(task.queue.id)
        is_stuck = monitor is not None and monitor.state == queue_monitor.NOTIFIED and monitor.running <= 1
        task.ended(failure, never_received=is_stuck and not self._is_stopping)
        self.tasks_aborted[task.queue.database_id] += task.is_aborted
        self.failures += task.has_failed
        self._trace(task, "aborted" if task.is_aborted else "ended")
        with instance.broker.mutex:
            is_too_many = queue_monitor.task_ended(
                instance.broker, task.queue.id, instance.host.now(), has_failed=task.has_failed
            )
            self._changing -= 1
        if is_too_many:
            task.slowed()
        self.after_transaction()
        self._notify_idle()

    def post_event(self, event: str, text: str, heard: list[EventNotification], within: Any) -> None:
        """An event for the notifications that asked for it; that of a definition while it is committed."""
        self._notices.post_event(event, text, heard, within)

    # --- background work -----------------------------------------------------------------------------------

    def _background(self) -> Work:
        instance, state = self.instance, self.instance.broker
        while not self._is_stopping:
            self._waiter = Waiter()
            try:
                for suspend in self._run_due():
                    # Whoever has news, or stops us, wakes this wait too; what is due is looked up after it.
                    self._waiter = suspend.waiter
                    yield suspend
                    if self._is_stopping:
                        return
            except Exception as error:  # the store refuses, as it does on a full disk; or a bug: the broker goes on
                if self._is_stopping:
                    return
                instance.log(*failure_line(error))
                self._waiter = Waiter()
                yield Suspend(self._waiter, instance.host.now() + _PAUSE, "BROKER_TASK")
                continue
            with state.mutex:
                deadline = deadlines.next_deadline(state)
            own = (deadline, self._log_is_due, self._asks_again)
            others = (instance.notified.next_report(), instance.subscriptions.next_deadline())
            deadline = min((moment for moment in (*own, *others) if moment is not None), default=None)
            if self._launches or self._disables or self._notices or self._routes or self._queries:
                continue
            if deadline is not None and deadline - instance.host.now() > _FAR:
                deadline = None
            yield Suspend(self._waiter, deadline, "BROKER_TASK")

    def _run_due(self) -> Work:
        instance, state = self.instance, self.instance.broker
        now = instance.host.now()
        while self._disables and not self._is_stopping:
            # Somebody holds the schema lock: wait for it here, so that no session has to.
            transaction = Transaction(instance, self._store, "broker")
            yield from transaction.lock_schema()
            transaction.rollback()
            if self._refused is not None:
                refused, self._refused = self._refused, None
                raise refused
        instance.notified.report_blocked()
        yield from self._notices.run()
        yield from self._routes.run()
        yield from self._queries.run()
        self._run_deadlines()
        with state.mutex:
            if queue_monitor.next_tick(state) <= now:
                queue_monitor.tick(state, now)
            if self._asks_again is not None and self._asks_again <= now:
                self._asks_again = None
                queue_monitor.look_again(state, None, now)
        self.after_transaction()
        if self._log_is_due is None or self._log_is_due <= now:
            self._log_is_due = None
            instance.save_log()

    def _run_deadlines(self) -> None:
        """Timers, lifetimes and retries, in transactions that belong to no session."""
        instance = self.instance
        while True:
            transaction = Transaction(instance, self._store, "broker")
            try:
                with instance.broker.mutex:
                    due = deadlines.next_deadline(instance.broker)
                    if due is None or due > instance.host.now():
                        return
                    handled = deadlines.run_due(transaction.broker)
            except BaseException:
                transaction.rollback()  # without the mutex: it may start tasks
                raise
            with held:
                transaction.commit()
            if not handled:
                return

    def _disable_poisoned(self) -> None:
        """STATUS = OFF for queues with five rollbacks, in a transaction of its own, in the thread of the last rollback:
        its next RECEIVE is to fail. When somebody holds the schema lock, the background work does it later."""
        while self._disables and not self._is_stopping:
            transaction = Transaction(self.instance, self._disable_store, "broker")
            with self._disable_mutex:
                if not self._disables or not transaction.try_lock_schema():
                    return
                queue_id = self._disables.popleft()
                queue = self.instance.catalog.queue_of_id(queue_id)
                if queue is None or not queue.is_enabled:
                    self.instance.locks.release_all(transaction.owner)
                    continue
                transaction.change_catalog(queue, msgspec.structs.replace(queue, is_enabled=False))
                if not self._notices.take_over(queue, transaction):  # the background work comes back to it
                    self._disables.appendleft(queue_id)
                    self.instance.locks.release_all(transaction.owner)
                    self._waiter.wake()
                    return
                transaction.before_commit(partial(self._notices.note_within, QUEUE_DISABLED, queue, transaction))
                try:
                    with held:
                        transaction.commit()
                except SqlError:
                    self._disables.append(queue_id)
                    raise
            self.failures += 1
            self.instance.log(9617, sql_error(9617, self.instance.queue_name(queue_id)).message)

    # --- idleness ------------------------------------------------------------------------------------------

    def _notify_idle(self) -> None:
        if self._idlers:
            with self._idle:
                self._idle.notify_all()

    def is_idle(self) -> bool:
        """No activated procedure has anything to do: each waits in RECEIVE, and no monitored queue has one for it."""
        state = self.instance.broker
        with state.mutex:
            if self._changing or self._launches or self._disables or self._notices or self._queries:
                return False
            if not all(task.waits_for_messages for task in list(self.tasks.values())):
                return False
            return not any(queue_monitor.is_to_start(state, m) for m in state.monitors.values())

    def wait_idle(self, patience: Patience) -> bool:
        """Wait for `is_idle`. False when the patience is over first."""
        with self._idle:
            self._idlers += 1
            try:
                while not self.is_idle():
                    if patience.is_over():
                        return False
                    # Woken by every task and commit; the bound only covers a wake-up between the check and the wait.
                    self._idle.wait(min(0.05, patience.left()))
            finally:
                self._idlers -= 1
        return True

    def busy(self) -> list[str]:
        """For people: who keeps the instance from being idle, and what each of them does."""
        state = self.instance.broker
        found = [task.description() for task in list(self.tasks.values()) if not task.waits_for_messages]
        with state.mutex:
            starting = [m.queue_id for m in state.monitors.values() if queue_monitor.is_to_start(state, m)]
        return found + [f"the queue {self.instance.queue_name(queue)} has messages" for queue in starting]
