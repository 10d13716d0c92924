-- Columns of endpoints that secure dialogs between instances have, in stores that were made before there were any.
ALTER TABLE sbql.conversation_endpoints ADD COLUMN IF NOT EXISTS security VARCHAR DEFAULT '';
ALTER TABLE sbql.conversation_endpoints ADD COLUMN IF NOT EXISTS session_key BLOB DEFAULT ''::BLOB;
ALTER TABLE sbql.conversation_endpoints ADD COLUMN IF NOT EXISTS outbound_key_id UUID DEFAULT '00000000-0000-0000-0000-000000000000';
ALTER TABLE sbql.conversation_endpoints ADD COLUMN IF NOT EXISTS inbound_key_id UUID DEFAULT '00000000-0000-0000-0000-000000000000';
