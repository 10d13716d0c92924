-- sp_xml_removedocument: forget a document of sp_xml_preparedocument.
CREATE PROCEDURE sys.sp_xml_removedocument @hdoc int
AS EXTERNAL NAME sbql.documents.sp_xml_removedocument
