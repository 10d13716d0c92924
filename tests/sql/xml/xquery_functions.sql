-- The functions and operators of XQuery (the page "XQuery Functions against the xml Data Type").
DECLARE @x xml = N'<r xmlns:p="urn:p"><a id="1">10</a><a id="2">x</a><p:b>2.5</p:b><a id="3">4</a></r>';
SELECT @x.value('count(/r/a)', 'int'), @x.value('sum(/r/a)', 'int'), @x.value('avg((1, 2, 3))', 'decimal(5, 1)'), @x.value('min(/r/a/@id)', 'int'), @x.value('max(/r/a/@id)', 'int');
SELECT @x.query('ceiling(1.2), floor(1.8), round(1.5), 7 mod 4, 1 + 2 * 3, -2');
SELECT @x.query('concat("a", "b", "c"), substring("abcdef", 3, 2), string-length("abc"), upper-case("b"), lower-case("C")');
SELECT @x.value('contains((/r/a)[2], "x")', 'bit'), @x.value('not(/r/z)', 'bit'), @x.value('empty(/r/a)', 'bit'), @x.value('true()', 'bit'), @x.value('false()', 'bit');
SELECT @x.query('local-name(/r[1]/*[3]), namespace-uri(/r[1]/*[3]), string((/r/a)[1]), data(/r/a/@id), number((/r/a)[1])');
SELECT @x.query('/r/a[position() = 2]'), @x.query('/r/a[last()]'), @x.query('distinct-values((1, 2, 1))');
SELECT @x.query('/r/a[1] instance of element()'), @x.query('1 instance of xs:string?'), @x.query('(/r/a)[1] cast as xs:int ?');
SELECT @x.query('(/r/a)[1] is (/r/a)[1], (/r/a)[1] << (/r/a)[2]'), @x.query('/r/a/@id = 3, (/r/a/@id)[1] eq "1"');
GO
--! rows
--! 3 | 14 | 2.0 | 1 | 3
--! rows
--! 2 1 2 3 7 -2
--! rows
--! abc cd 3 B c
--! rows
--! 1 | 1 | 0 | 1 | 0
--! rows
--! b urn:p 10 1 2 3 10
--! rows
--! <a id="2">x</a> | <a id="3">4</a> | 1 2
--! rows
--! true | false | 10
--! rows
--! true true | true true
-- What cannot be converted is no value: the empty sequence.
DECLARE @x xml = N'<r><a>x</a><a>5</a></r>';
SELECT @x.query('(/r/a)[1] cast as xs:int ?'), @x.value('xs:int((/r/a)[2])', 'int'), @x.exist('/r/a[. = 5]'), @x.exist('/r/a[. > 5]'), @x.query('(/r/a)[1] + 1');
GO
--! rows
--!  | 5 | 1 | 0 | 
-- sql:variable: the types of T-SQL.
DECLARE @x xml = N'<r d="2024-01-02T00:00:00" n="1.50"/>', @d datetime = '2024-01-02T03:04:05', @n decimal(5, 2) = 1.5, @g uniqueidentifier = '0E984725-C51C-4BF4-9960-E1C80E27ABA0', @null int, @b bit = 1;
SELECT @x.exist('/r[xs:dateTime(@d) < sql:variable("@d")]'), @x.exist('/r[@n = sql:variable("@n")]'), @x.query('<a g="{sql:variable("@g")}" n="{sql:variable("@null")}" b="{sql:variable("@b")}"/>');
GO
--! rows
--! 1 | 1 | <a g="0E984725-C51C-4BF4-9960-E1C80E27ABA0" n="" b="true"/>
