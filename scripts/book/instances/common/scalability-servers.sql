-- Two initiators and one target, as the paper has them, each a server of its own.
:setvar database SSBReceiver
:setvar me MYTARGETSERVER
--! instance MYTARGETSERVER
:r scalability-server.sql
:r ../../common/scalability-objects.sql
:setvar database SSBSender
:setvar me MYINITIATORSERVER1
--! instance MYINITIATORSERVER1
:r scalability-server.sql
:r ../../common/scalability-objects.sql
:setvar me MYINITIATORSERVER2
--! instance MYINITIATORSERVER2
:r scalability-server.sql
:r ../../common/scalability-objects.sql

:setvar database SSBReceiver
:setvar me MYTARGETSERVER
:setvar you MYINITIATORSERVER1
--! instance MYTARGETSERVER
:r scalability-partner.sql
:setvar you MYINITIATORSERVER2
--! instance MYTARGETSERVER
:r scalability-partner.sql
:setvar database SSBSender
:setvar you MYTARGETSERVER
:setvar me MYINITIATORSERVER1
--! instance MYINITIATORSERVER1
:r scalability-partner.sql
:r scalability-binding.sql
:setvar me MYINITIATORSERVER2
--! instance MYINITIATORSERVER2
:r scalability-partner.sql
:r scalability-binding.sql
