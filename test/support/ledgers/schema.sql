-- Version 36
-- index attempts_committing
CREATE INDEX attempts_committing ON attempts(committing_at_ms)WHERE committing_at_ms IS NOT NULL;
-- index attempts_open
CREATE INDEX attempts_open ON attempts(id)WHERE outcome IS NULL;
-- index attempts_upload
CREATE INDEX attempts_upload ON attempts(upload_id);
-- index bundled_path
CREATE INDEX bundled_path ON bundled(path,upload_id);
-- index bundled_sha256
CREATE INDEX bundled_sha256 ON bundled(sha256);
-- index downloads_at
CREATE INDEX downloads_at ON downloads(at_ms);
-- index downloads_file
CREATE INDEX downloads_file ON downloads(account,file_id,at_ms);
-- index files_downloads
CREATE INDEX files_downloads ON files(place,downloads,id);
-- index files_file_id
CREATE INDEX files_file_id ON files(account,file_id)WHERE file_id IS NOT NULL;
-- index files_folder
CREATE INDEX files_folder ON files(folder,place)WHERE folder > 0;
-- index files_order
CREATE INDEX files_order ON files(place,name_order,id,name_key,link,file_id);
-- index files_size
CREATE INDEX files_size ON files(place,size,id);
-- index files_uploaded
CREATE INDEX files_uploaded ON files(place,at_ms,id);
-- index permits_open
CREATE INDEX permits_open ON permits(id)WHERE answered_at_ms IS NULL;
-- index remote_imported
CREATE INDEX remote_imported ON remote_files(size_bytes)WHERE sha256 IS NOT NULL;
-- index remote_live
CREATE INDEX remote_live ON remote_files(download_count)WHERE gone = 0;
-- index sqlite_autoindex_dirs_1
made by SQLite;
-- index sqlite_autoindex_folders_1
made by SQLite;
-- index sqlite_autoindex_remote_files_1
made by SQLite;
-- index sqlite_autoindex_run_files_1
made by SQLite;
-- index uploads_arrival
CREATE INDEX uploads_arrival ON uploads(state,priority DESC,id);
-- index uploads_bucket
CREATE INDEX uploads_bucket ON uploads(folder,bucket,id)WHERE bucket IS NOT NULL;
-- index uploads_departed
CREATE INDEX uploads_departed ON uploads(inode,id)WHERE kept_by IS NOT NULL;
-- index uploads_ends
CREATE INDEX uploads_ends ON uploads(ends_at_ms,id)WHERE ends_at_ms IS NOT NULL AND state IN('uploaded','superseded');
-- index uploads_existing
CREATE INDEX uploads_existing ON uploads(size_bytes,present,sha256,id)WHERE state IN('skipped','gone')AND(kept_by = 'existing' OR detail = '{rule:existing}');
-- index uploads_file_id
CREATE UNIQUE INDEX uploads_file_id ON uploads(account,file_id)WHERE file_id IS NOT NULL AND id_taken_at_ms IS NULL;
-- index uploads_id_taken
CREATE INDEX uploads_id_taken ON uploads(account,file_id)WHERE id_taken_at_ms IS NOT NULL;
-- index uploads_inode
CREATE INDEX uploads_inode ON uploads(inode)WHERE present = 1 AND inode IS NOT NULL;
-- index uploads_left_path
CREATE INDEX uploads_left_path ON uploads(dir_id,name)WHERE present = 0 AND sha256 IS NULL AND state IN('skipped','gone')AND(kept_by = 'existing' OR detail = '{rule:existing}');
-- index uploads_left_time
CREATE INDEX uploads_left_time ON uploads(size_bytes,mtime_ms)WHERE present = 0 AND sha256 IS NULL AND state IN('skipped','gone')AND(kept_by = 'existing' OR detail = '{rule:existing}');
-- index uploads_newest
CREATE INDEX uploads_newest ON uploads(state,priority DESC,id DESC);
-- index uploads_not_dead
CREATE INDEX uploads_not_dead ON uploads(id)WHERE state = 'recalled' AND detail ->> 'dead' = 0;
-- index uploads_present
CREATE UNIQUE INDEX uploads_present ON uploads(dir_id,name)WHERE present = 1;
-- index uploads_sent_sha256
CREATE INDEX uploads_sent_sha256 ON uploads(sent_sha256)WHERE sent_sha256 IS NOT NULL;
-- index uploads_sha256
CREATE INDEX uploads_sha256 ON uploads(sha256)WHERE sha256 IS NOT NULL;
-- index uploads_since
CREATE INDEX uploads_since ON uploads(uploaded_at_ms,id)WHERE state IN('uploaded','superseded');
-- index uploads_size
CREATE INDEX uploads_size ON uploads(size_bytes)WHERE state IN('committing','uncertain','uploaded','recalling','recalled','held');
-- index uploads_smallest
CREATE INDEX uploads_smallest ON uploads(state,priority DESC,size_bytes,id);
-- index uploads_stored_name
CREATE INDEX uploads_stored_name ON uploads(coalesce(remote_name,sent_name))WHERE file_id IS NOT NULL;
-- index uploads_unread_no
CREATE INDEX uploads_unread_no ON uploads(size_bytes,id)WHERE state = 'skipped' AND sha256 IS NULL AND present = 1 AND detail ->> 'rule' IN('cancelled','expired');
-- index uploads_until
CREATE INDEX uploads_until ON uploads(until_ms,id)WHERE until_ms IS NOT NULL;
-- index uploads_versions
CREATE INDEX uploads_versions ON uploads(dir_id,name,uploaded_at_ms)WHERE present = 0 AND uploaded_at_ms IS NOT NULL;
-- index watched_next
CREATE INDEX watched_next ON watched(what,next_ms,upload_id)WHERE next_ms IS NOT NULL;
-- index watched_wrong
CREATE INDEX watched_wrong ON watched(told_at_ms)WHERE told IN('gone','differs');
-- table accounts
CREATE TABLE accounts(id INTEGER PRIMARY KEY,keys TEXT NOT NULL DEFAULT '[]',is_present INTEGER NOT NULL DEFAULT 0)STRICT;
-- table attempts
CREATE TABLE attempts(id INTEGER PRIMARY KEY,upload_id INTEGER NOT NULL REFERENCES uploads(id),permit_id INTEGER NOT NULL,sent_name TEXT NOT NULL,size_bytes INTEGER NOT NULL,started_at_ms INTEGER NOT NULL,committing_at_ms INTEGER,ended_at_ms INTEGER,outcome TEXT,status INTEGER,evidence TEXT)STRICT;
-- table bundled
CREATE TABLE bundled(upload_id INTEGER NOT NULL REFERENCES uploads(id),name TEXT NOT NULL,path TEXT NOT NULL,size_bytes INTEGER NOT NULL,sha256 TEXT NOT NULL,PRIMARY KEY(upload_id,name))STRICT,WITHOUT ROWID;
-- table dirs
CREATE TABLE dirs(id INTEGER PRIMARY KEY,folder INTEGER NOT NULL,path TEXT NOT NULL,UNIQUE(folder,path))STRICT;
-- table downloads
CREATE TABLE downloads(file_id INTEGER NOT NULL,at_ms INTEGER NOT NULL,gained INTEGER NOT NULL,count INTEGER NOT NULL,account INTEGER NOT NULL DEFAULT 1)STRICT;
-- table entries
CREATE TABLE entries(seq INTEGER PRIMARY KEY,at_ms INTEGER NOT NULL,upload_id INTEGER,path TEXT,body TEXT NOT NULL)STRICT;
-- table facts
CREATE TABLE facts(name TEXT PRIMARY KEY,value TEXT NOT NULL,at_ms INTEGER NOT NULL)STRICT,WITHOUT ROWID;
-- table files
CREATE TABLE files(id INTEGER PRIMARY KEY,file_id INTEGER,place TEXT NOT NULL,at_ms INTEGER NOT NULL,name_key TEXT NOT NULL,size INTEGER NOT NULL,downloads INTEGER NOT NULL,link TEXT,folder INTEGER NOT NULL,name_order TEXT NOT NULL DEFAULT '',account INTEGER NOT NULL DEFAULT 1)STRICT;
-- table files_text
CREATE VIRTUAL TABLE files_text USING fts5(body,content = '',contentless_delete = 1,detail = none,tokenize = 'trigram case_sensitive 1');
-- table files_text_config
CREATE TABLE 'files_text_config'(k PRIMARY KEY,v)WITHOUT ROWID;
-- table files_text_data
CREATE TABLE 'files_text_data'(id INTEGER PRIMARY KEY,block BLOB);
-- table files_text_docsize
CREATE TABLE 'files_text_docsize'(id INTEGER PRIMARY KEY,sz BLOB,origin INTEGER);
-- table files_text_idx
CREATE TABLE 'files_text_idx'(segid,term,pgno,PRIMARY KEY(segid,term))WITHOUT ROWID;
-- table folders
CREATE TABLE folders(id INTEGER PRIMARY KEY,path TEXT NOT NULL UNIQUE,identity TEXT NOT NULL,chosen_at_ms INTEGER NOT NULL,baseline_done INTEGER NOT NULL DEFAULT 0,baseline_last_id INTEGER NOT NULL DEFAULT 0,left_out_subfolders INTEGER NOT NULL DEFAULT 0,judged_by TEXT,own TEXT NOT NULL DEFAULT '{}')STRICT;
-- table let_go
CREATE TABLE let_go(sha256 TEXT NOT NULL,reason TEXT NOT NULL,PRIMARY KEY(sha256,reason))STRICT,WITHOUT ROWID;
-- table limiter
CREATE TABLE limiter(id INTEGER PRIMARY KEY CHECK(id = 1),memory TEXT NOT NULL)STRICT;
-- table permits
CREATE TABLE permits(id INTEGER PRIMARY KEY AUTOINCREMENT,lane TEXT NOT NULL,owner TEXT NOT NULL,spent_at_ms INTEGER NOT NULL,answered_at_ms INTEGER)STRICT;
-- table remote_files
CREATE TABLE remote_files(account INTEGER NOT NULL,file_id INTEGER NOT NULL,first_seen_at_ms INTEGER NOT NULL,seen_at_ms INTEGER NOT NULL,gone INTEGER NOT NULL,read_by_us INTEGER NOT NULL DEFAULT 0,read_in_count INTEGER NOT NULL DEFAULT 0,download_count INTEGER,size INTEGER,upload_date TEXT,filename TEXT,public_link TEXT,name_key TEXT NOT NULL,at_ms INTEGER NOT NULL,sha256 TEXT,size_bytes INTEGER,PRIMARY KEY(account,file_id))STRICT;
-- table run_files
CREATE TABLE run_files(part TEXT NOT NULL,upload_id INTEGER NOT NULL UNIQUE REFERENCES uploads(id),files INTEGER NOT NULL DEFAULT 1,PRIMARY KEY(part,upload_id))STRICT,WITHOUT ROWID;
-- table sqlite_sequence
CREATE TABLE sqlite_sequence(name,seq);
-- table unreadable_folders
CREATE TABLE unreadable_folders(folder INTEGER NOT NULL REFERENCES folders(id),path TEXT NOT NULL,PRIMARY KEY(folder,path))STRICT,WITHOUT ROWID;
-- table uploads
CREATE TABLE uploads(id INTEGER PRIMARY KEY,folder INTEGER NOT NULL,dir_id INTEGER NOT NULL REFERENCES dirs(id),present INTEGER NOT NULL,kept_by TEXT,state TEXT NOT NULL,bucket TEXT,priority INTEGER NOT NULL,name TEXT NOT NULL,name_key TEXT NOT NULL,stamp_key TEXT,size_bytes INTEGER,mtime_ms REAL,ctime_ms REAL,inode TEXT,detail TEXT,until_ms INTEGER,attempts INTEGER NOT NULL,confirmed INTEGER NOT NULL,grace_over INTEGER NOT NULL,same_as_id INTEGER,door TEXT NOT NULL,expire_wish TEXT,ends_at_ms INTEGER,ends_proven_ms INTEGER,created_at_ms INTEGER NOT NULL,changed_at_ms INTEGER NOT NULL,uploaded_at_ms INTEGER,file_id INTEGER,remote_size INTEGER,sent_name TEXT,remote_name TEXT,sha256 TEXT,sent_sha256 TEXT,sent_bytes INTEGER,public_link TEXT,account INTEGER NOT NULL DEFAULT 1,id_taken_at_ms INTEGER,was_served INTEGER NOT NULL DEFAULT 0,uploaded_proven_ms INTEGER)STRICT;
-- table watched
CREATE TABLE watched(upload_id INTEGER NOT NULL REFERENCES uploads(id),what TEXT NOT NULL,since_ms INTEGER NOT NULL,next_ms INTEGER,tries INTEGER NOT NULL DEFAULT 0,told ANY,told_at_ms INTEGER,PRIMARY KEY(upload_id,what))STRICT,WITHOUT ROWID;
-- trigger downloads_gained
CREATE TRIGGER downloads_gained AFTER UPDATE OF download_count ON remote_files WHEN max(0,new.download_count - new.read_in_count)> coalesce(max(0,old.download_count - old.read_in_count),(SELECT 0 FROM uploads u WHERE new.account = u.account AND new.file_id = u.file_id AND u.id_taken_at_ms IS NULL AND u.uploaded_at_ms > new.seen_at_ms - 604800000))BEGIN INSERT INTO downloads VALUES(new.file_id,new.seen_at_ms,max(0,new.download_count - new.read_in_count)- coalesce(max(0,old.download_count - old.read_in_count),(SELECT 0 FROM uploads u WHERE new.account = u.account AND new.file_id = u.file_id AND u.id_taken_at_ms IS NULL AND u.uploaded_at_ms > new.seen_at_ms - 604800000)),max(0,new.download_count - new.read_in_count),new.account); END;
-- trigger downloads_of_ours
CREATE TRIGGER downloads_of_ours AFTER INSERT ON remote_files WHEN new.download_count >(SELECT 0 FROM uploads u WHERE new.account = u.account AND new.file_id = u.file_id AND u.id_taken_at_ms IS NULL AND u.uploaded_at_ms > new.seen_at_ms - 604800000)BEGIN INSERT INTO downloads VALUES(new.file_id,new.seen_at_ms,new.download_count,new.download_count,new.account); END;
-- trigger files_of_new_remote
CREATE TRIGGER files_of_new_remote AFTER INSERT ON remote_files BEGIN DELETE FROM files WHERE account = new.account AND file_id = new.file_id; INSERT INTO files SELECT * FROM our_files WHERE id =(SELECT u.id FROM uploads u WHERE new.account = u.account AND new.file_id = u.file_id AND u.id_taken_at_ms IS NULL); INSERT INTO files SELECT * FROM other_files WHERE account = new.account AND file_id = new.file_id; END;
-- trigger files_of_new_upload
CREATE TRIGGER files_of_new_upload AFTER INSERT ON uploads WHEN new.state IN('uploaded','superseded','recalling','recalled','gone')AND new.file_id IS NOT NULL BEGIN DELETE FROM files WHERE account = new.account AND file_id = new.file_id; INSERT INTO files SELECT * FROM our_files WHERE id = new.id; END;
-- trigger files_of_remote
CREATE TRIGGER files_of_remote AFTER UPDATE ON remote_files WHEN(new.gone,new.download_count,new.size,new.size_bytes,new.public_link,new.name_key,new.at_ms)IS NOT(old.gone,old.download_count,old.size,old.size_bytes,old.public_link,old.name_key,old.at_ms)BEGIN DELETE FROM files WHERE account = new.account AND file_id = new.file_id; INSERT INTO files SELECT * FROM our_files WHERE id =(SELECT u.id FROM uploads u WHERE new.account = u.account AND new.file_id = u.file_id AND u.id_taken_at_ms IS NULL); INSERT INTO files SELECT * FROM other_files WHERE account = new.account AND file_id = new.file_id; END;
-- trigger files_of_upload
CREATE TRIGGER files_of_upload AFTER UPDATE OF state,present,folder,name_key,size_bytes,uploaded_at_ms,file_id,public_link,account,id_taken_at_ms ON uploads WHEN old.state IN('uploaded','superseded','recalling','recalled','gone')OR new.state IN('uploaded','superseded','recalling','recalled','gone')BEGIN DELETE FROM files WHERE id = new.id OR(files.account = new.account AND files.file_id = new.file_id AND new.id_taken_at_ms IS NULL AND new.state IN('uploaded','superseded','recalling','recalled','gone')); INSERT INTO files SELECT * FROM our_files WHERE id = new.id; END;
-- trigger files_text_delete
CREATE TRIGGER files_text_delete AFTER DELETE ON files BEGIN DELETE FROM files_text WHERE rowid = old.id; END;
-- trigger files_text_insert
CREATE TRIGGER files_text_insert AFTER INSERT ON files BEGIN INSERT INTO files_text(rowid,body)VALUES(new.id,new.name_key || char(10)|| coalesce(lower(new.link),'')|| char(10)|| coalesce(new.file_id,'')); END;
-- trigger watched_gone
CREATE TRIGGER watched_gone AFTER UPDATE OF gone ON remote_files WHEN new.gone > 0 BEGIN DELETE FROM watched WHERE upload_id IN(SELECT u.id FROM uploads u WHERE new.account = u.account AND new.file_id = u.file_id AND u.id_taken_at_ms IS NULL); END;
-- trigger watched_gone_unseen
CREATE TRIGGER watched_gone_unseen AFTER INSERT ON remote_files WHEN new.gone > 0 BEGIN DELETE FROM watched WHERE upload_id IN(SELECT u.id FROM uploads u WHERE new.account = u.account AND new.file_id = u.file_id AND u.id_taken_at_ms IS NULL); END;
-- trigger watched_taken_back
CREATE TRIGGER watched_taken_back AFTER UPDATE OF state ON uploads WHEN new.state NOT IN('uploaded','superseded')BEGIN DELETE FROM watched WHERE upload_id = new.id; END;
-- view other_files
CREATE VIEW other_files AS SELECT iif(r.file_id <= 9007199254740991,r.file_id - 9007199254740991,-r.file_id),r.file_id,'elsewhere',r.at_ms,r.name_key,max(coalesce(r.size_bytes,r.size,-1),-1),max(coalesce(r.download_count,-1),-1),r.public_link,0,(WITH RECURSIVE numbers(done,rest,mask,more)AS(SELECT '',r.name_key,replace(replace(replace(replace(replace(replace(replace(replace(replace(r.name_key,'1','0'),'2','0'),'3','0'),'4','0'),'5','0'),'6','0'),'7','0'),'8','0'),'9','0'),30 UNION ALL SELECT done || substr(rest,1,instr(mask,'0')- 1)|| iif(length(coalesce(nullif(ltrim(substr(rest,instr(mask,'0'),length(mask)- instr(mask,'0')+ 1 - length(ltrim(substr(mask,instr(mask,'0')),'0'))),'0'),''),'0'))< 9,length(coalesce(nullif(ltrim(substr(rest,instr(mask,'0'),length(mask)- instr(mask,'0')+ 1 - length(ltrim(substr(mask,instr(mask,'0')),'0'))),'0'),''),'0')),printf('9%03d',length(coalesce(nullif(ltrim(substr(rest,instr(mask,'0'),length(mask)- instr(mask,'0')+ 1 - length(ltrim(substr(mask,instr(mask,'0')),'0'))),'0'),''),'0'))))|| coalesce(nullif(ltrim(substr(rest,instr(mask,'0'),length(mask)- instr(mask,'0')+ 1 - length(ltrim(substr(mask,instr(mask,'0')),'0'))),'0'),''),'0'),substr(rest,length(rest)- length(ltrim(substr(mask,instr(mask,'0')),'0'))+ 1),ltrim(substr(mask,instr(mask,'0')),'0'),more - 1 FROM numbers WHERE more > 0 AND instr(mask,'0')> 0)SELECT done || rest FROM numbers ORDER BY more LIMIT 1),r.account FROM remote_files r WHERE r.gone = 0 AND r.account =(SELECT id FROM accounts WHERE is_present = 1)AND NOT EXISTS(SELECT 1 FROM uploads u WHERE r.account = u.account AND r.file_id = u.file_id AND u.id_taken_at_ms IS NULL AND u.state IN('uploaded','superseded','recalling','recalled','gone'));
-- view our_files
CREATE VIEW our_files AS SELECT u.id,iif(u.id_taken_at_ms IS NULL,u.file_id,NULL)AS file_id,CASE WHEN r.gone = 2 THEN 'removed' WHEN u.account <>(SELECT id FROM accounts WHERE is_present = 1)THEN 'other-account' WHEN r.gone = 1 THEN 'gone-from-service' WHEN u.present = 1 OR u.state IN('superseded','recalled')THEN 'this-machine' ELSE 'gone-from-disk' END,coalesce(u.uploaded_at_ms,u.created_at_ms),u.name_key,coalesce(u.sent_bytes,u.size_bytes,-1),max(coalesce(r.download_count,-1),-1),iif(r.gone > 0,NULL,u.public_link),u.folder,(WITH RECURSIVE numbers(done,rest,mask,more)AS(SELECT '',u.name_key,replace(replace(replace(replace(replace(replace(replace(replace(replace(u.name_key,'1','0'),'2','0'),'3','0'),'4','0'),'5','0'),'6','0'),'7','0'),'8','0'),'9','0'),30 UNION ALL SELECT done || substr(rest,1,instr(mask,'0')- 1)|| iif(length(coalesce(nullif(ltrim(substr(rest,instr(mask,'0'),length(mask)- instr(mask,'0')+ 1 - length(ltrim(substr(mask,instr(mask,'0')),'0'))),'0'),''),'0'))< 9,length(coalesce(nullif(ltrim(substr(rest,instr(mask,'0'),length(mask)- instr(mask,'0')+ 1 - length(ltrim(substr(mask,instr(mask,'0')),'0'))),'0'),''),'0')),printf('9%03d',length(coalesce(nullif(ltrim(substr(rest,instr(mask,'0'),length(mask)- instr(mask,'0')+ 1 - length(ltrim(substr(mask,instr(mask,'0')),'0'))),'0'),''),'0'))))|| coalesce(nullif(ltrim(substr(rest,instr(mask,'0'),length(mask)- instr(mask,'0')+ 1 - length(ltrim(substr(mask,instr(mask,'0')),'0'))),'0'),''),'0'),substr(rest,length(rest)- length(ltrim(substr(mask,instr(mask,'0')),'0'))+ 1),ltrim(substr(mask,instr(mask,'0')),'0'),more - 1 FROM numbers WHERE more > 0 AND instr(mask,'0')> 0)SELECT done || rest FROM numbers ORDER BY more LIMIT 1),u.account FROM uploads u LEFT JOIN remote_files r ON r.account = u.account AND r.file_id = u.file_id AND u.id_taken_at_ms IS NULL WHERE u.state IN('uploaded','superseded','recalling','recalled','gone')AND(u.file_id IS NOT NULL OR u.public_link IS NOT NULL);
