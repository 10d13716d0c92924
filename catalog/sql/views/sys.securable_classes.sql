-- sys.securable_classes: the classes of securables that permissions are granted on.
-- column: class_desc nvarchar(60)
-- column: class int not null
SELECT class_desc, number AS class FROM live_securable_classes
