BEGIN TRANSACTION;
CREATE TABLE account (
	id INTEGER NOT NULL, 
	login TEXT NOT NULL, 
	login_key TEXT NOT NULL, 
	email TEXT NOT NULL, 
	email_key TEXT NOT NULL, 
	slug TEXT NOT NULL, 
	name TEXT NOT NULL, 
	name_key TEXT NOT NULL, 
	first_name TEXT NOT NULL, 
	last_name TEXT NOT NULL, 
	nickname TEXT NOT NULL, 
	url TEXT NOT NULL, 
	description TEXT NOT NULL, 
	locale TEXT NOT NULL, 
	roles TEXT NOT NULL, 
	capabilities TEXT NOT NULL, 
	password TEXT NOT NULL, 
	registered BIGINT NOT NULL, 
	meta TEXT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (login_key), 
	UNIQUE (email_key), 
	UNIQUE (slug)
);
INSERT INTO "account" VALUES(1,'admin','admin','admin@example.org','admin@example.org','admin','admin','admin','','','admin','http://127.0.0.1:8000','','','["administrator"]','{}','',1795467985,'{}');
INSERT INTO "account" VALUES(2,'editor','editor','editor@example.org','editor@example.org','editor','editor','editor','','','editor','','','','["editor"]','{}','',1795467985,'{}');
INSERT INTO "account" VALUES(3,'author','author','author@example.org','author@example.org','author','author','author','','','author','','','','["author"]','{}','',1795467985,'{}');
INSERT INTO "account" VALUES(4,'contributor','contributor','contributor@example.org','contributor@example.org','contributor','contributor','contributor','','','contributor','','','','["contributor"]','{}','',1795467985,'{}');
INSERT INTO "account" VALUES(5,'subscriber','subscriber','subscriber@example.org','subscriber@example.org','subscriber','subscriber','subscriber','','','subscriber','','','','["subscriber"]','{}','',1795467985,'{}');
INSERT INTO "account" VALUES(6,'ada','ada','ada@example.org','ada@example.org','ada','ada','ada','','','ada','','','','["customer"]','{}','$argon2id$v=19$m=19456,t=2,p=1$Z5nLSW0l9DYtwackyZHosg$vQ2W7gYo+zFlh41yHwsgMTPZ4N9Vl2me7hniRBmCMk4',1795467985,'{}');
CREATE TABLE admin_note (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	subject INTEGER NOT NULL, 
	type TEXT NOT NULL, 
	title TEXT NOT NULL, 
	content TEXT NOT NULL, 
	status TEXT NOT NULL, 
	source TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	reminder BIGINT, 
	snoozable INTEGER NOT NULL, 
	actions TEXT NOT NULL, 
	deleted INTEGER NOT NULL, 
	read INTEGER NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "admin_note" VALUES(1,'first-order',0,'info','Your first order','Somebody bought in your shop for the first time. See what to send and where.','unactioned','shop-admin',1795467985,NULL,0,'[{"id":1,"name":"view-order","label":"View the order","url":"admin.php?page=shop-orders&action=edit&id=17","status":"actioned"}]',0,0);
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY);
INSERT INTO "alembic_version" VALUES('0008');
CREATE TABLE app_password (
	uuid TEXT NOT NULL, 
	account INTEGER NOT NULL, 
	app_id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	last_used BIGINT, 
	last_ip TEXT, 
	PRIMARY KEY (uuid), 
	FOREIGN KEY(account) REFERENCES account (id) ON DELETE CASCADE
);
INSERT INTO "app_password" VALUES('9c0b10f1-6152-4d21-8e74-6d185f1f64c4',1,'','Stand-in','376008df51e6d1b5c1818469a02062d1a109f0715947f2443f8d62f56ad7fa5b',1795467985,1795467985,'127.0.0.1');
INSERT INTO "app_password" VALUES('af34d624-4f4f-4482-8fee-fff960b718ba',2,'','Stand-in','1ffb8e14b4a5950a839ee0abfaa9649a80b9339f64c1ea3ec55cdb58b09769c4',1795467985,NULL,NULL);
INSERT INTO "app_password" VALUES('820d7016-7672-4f47-ad73-047489bc5f6f',3,'','Stand-in','528b86d1f71e4448e38df2f161de01cbc59bccdc0e381914ac6f5234a0a98e67',1795467985,NULL,NULL);
INSERT INTO "app_password" VALUES('b5abc616-d5cf-4e99-a670-72f68c20da93',4,'','Stand-in','d8020a5d69165c7f338c6c2c7f7294ff873a595e2a0bfdc702dce48f2c4d4474',1795467985,NULL,NULL);
INSERT INTO "app_password" VALUES('7e38c636-886e-4488-ba42-fe1ca6bd2204',5,'','Stand-in','e6e91b11e71aba500d2894884773cad18accc0517926fa3c6aaebbecc93e7432',1795467985,NULL,NULL);
CREATE TABLE change (
	sequence INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	kind TEXT NOT NULL, 
	item TEXT NOT NULL, 
	action TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	"by" INTEGER DEFAULT '0' NOT NULL
);
INSERT INTO "change" VALUES(1,'category','1','created',1795467985,0);
INSERT INTO "change" VALUES(2,'user','1','created',1795467985,0);
INSERT INTO "change" VALUES(3,'app_password','9c0b10f1-6152-4d21-8e74-6d185f1f64c4','created',1795467985,0);
INSERT INTO "change" VALUES(4,'option','email','changed',1795467985,0);
INSERT INTO "change" VALUES(5,'user','2','created',1795467985,0);
INSERT INTO "change" VALUES(6,'app_password','af34d624-4f4f-4482-8fee-fff960b718ba','created',1795467985,0);
INSERT INTO "change" VALUES(7,'user','3','created',1795467985,0);
INSERT INTO "change" VALUES(8,'app_password','820d7016-7672-4f47-ad73-047489bc5f6f','created',1795467985,0);
INSERT INTO "change" VALUES(9,'user','4','created',1795467985,0);
INSERT INTO "change" VALUES(10,'app_password','b5abc616-d5cf-4e99-a670-72f68c20da93','created',1795467985,0);
INSERT INTO "change" VALUES(11,'user','5','created',1795467985,0);
INSERT INTO "change" VALUES(12,'app_password','7e38c636-886e-4488-ba42-fe1ca6bd2204','created',1795467985,0);
INSERT INTO "change" VALUES(13,'product_cat','2','created',1795467985,1);
INSERT INTO "change" VALUES(14,'option','default_product_cat','changed',1795467985,1);
INSERT INTO "change" VALUES(15,'tax_class','reduced-rate','created',1795467985,1);
INSERT INTO "change" VALUES(16,'tax_class','zero-rate','created',1795467985,1);
INSERT INTO "change" VALUES(17,'page','1','created',1795467985,1);
INSERT INTO "change" VALUES(18,'option','shop_shop_page_id','changed',1795467985,1);
INSERT INTO "change" VALUES(19,'page','2','created',1795467985,1);
INSERT INTO "change" VALUES(20,'option','shop_cart_page_id','changed',1795467985,1);
INSERT INTO "change" VALUES(21,'page','3','created',1795467985,1);
INSERT INTO "change" VALUES(22,'option','shop_checkout_page_id','changed',1795467985,1);
INSERT INTO "change" VALUES(23,'page','4','created',1795467985,1);
INSERT INTO "change" VALUES(24,'option','shop_myaccount_page_id','changed',1795467985,1);
INSERT INTO "change" VALUES(25,'string','1','created',1795467985,0);
INSERT INTO "change" VALUES(26,'string','2','created',1795467985,0);
INSERT INTO "change" VALUES(27,'string','3','created',1795467985,0);
INSERT INTO "change" VALUES(28,'string','4','created',1795467985,0);
INSERT INTO "change" VALUES(29,'string','5','created',1795467985,0);
INSERT INTO "change" VALUES(30,'app_password','9c0b10f1-6152-4d21-8e74-6d185f1f64c4','changed',1795467985,0);
INSERT INTO "change" VALUES(31,'category','16','created',1795467985,1);
INSERT INTO "change" VALUES(32,'post','11','created',1795467985,1);
INSERT INTO "change" VALUES(33,'post','11','changed',1795467985,1);
INSERT INTO "change" VALUES(34,'post','13','created',1795467985,1);
INSERT INTO "change" VALUES(35,'page','14','created',1795467985,1);
INSERT INTO "change" VALUES(36,'comment','1','created',1795467985,1);
INSERT INTO "change" VALUES(37,'product','15','created',1795467985,1);
INSERT INTO "change" VALUES(38,'product','15','changed',1795467985,1);
INSERT INTO "change" VALUES(39,'coupon','16','created',1795467985,1);
INSERT INTO "change" VALUES(40,'user','6','created',1795467985,1);
INSERT INTO "change" VALUES(41,'user','6','changed',1795467985,1);
INSERT INTO "change" VALUES(42,'mail','1','created',1795467985,1);
INSERT INTO "change" VALUES(43,'order','17','created',1795467985,1);
INSERT INTO "change" VALUES(44,'product','15','changed',1795467985,1);
INSERT INTO "change" VALUES(45,'order','17','changed',1795467985,1);
INSERT INTO "change" VALUES(46,'user','6','changed',1795467985,1);
INSERT INTO "change" VALUES(47,'mail','2','created',1795467985,1);
INSERT INTO "change" VALUES(48,'mail','3','created',1795467985,1);
INSERT INTO "change" VALUES(49,'order','17','changed',1795467985,1);
INSERT INTO "change" VALUES(50,'admin_note','1','created',1795467985,1);
INSERT INTO "change" VALUES(51,'order','17','changed',1795467985,1);
INSERT INTO "change" VALUES(52,'mail','4','created',1795467985,1);
INSERT INTO "change" VALUES(53,'webhook','1','created',1795467985,1);
CREATE TABLE comment (
	id INTEGER NOT NULL, 
	post INTEGER NOT NULL, 
	parent INTEGER NOT NULL, 
	author INTEGER NOT NULL, 
	author_name TEXT NOT NULL, 
	author_email TEXT NOT NULL, 
	author_url TEXT NOT NULL, 
	author_ip TEXT NOT NULL, 
	author_user_agent TEXT NOT NULL, 
	date BIGINT NOT NULL, 
	date_gmt BIGINT NOT NULL, 
	content TEXT NOT NULL, 
	content_html TEXT NOT NULL, 
	status TEXT NOT NULL, 
	kept_status TEXT NOT NULL, 
	shelved_status TEXT NOT NULL, 
	type TEXT NOT NULL, 
	meta TEXT NOT NULL, 
	email_key TEXT NOT NULL, 
	search_key TEXT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(post) REFERENCES record (id) ON DELETE CASCADE
);
INSERT INTO "comment" VALUES(1,11,0,1,'admin','admin@example.org','http://127.0.0.1:8000','127.0.0.1','',1795471585,1795467985,'Well said.','<p>Well said.</p>
','approved','','','comment','{}','admin@example.org','admin
admin@example.org
http://127.0.0.1:8000
127.0.0.1
well said.');
CREATE TABLE connector_done (
	sequence INTEGER NOT NULL, 
	PRIMARY KEY (sequence)
);
CREATE TABLE connector_nonce (
	timestamp BIGINT NOT NULL, 
	nonce TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (timestamp, nonce)
);
CREATE TABLE connector_state (
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (name)
);
CREATE TABLE counter (
	name TEXT NOT NULL, 
	value BIGINT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "counter" VALUES('term',16);
INSERT INTO "counter" VALUES('account',6);
INSERT INTO "counter" VALUES('tax_class',2);
INSERT INTO "counter" VALUES('record',18);
INSERT INTO "counter" VALUES('comment',1);
INSERT INTO "counter" VALUES('outbox_mail',4);
INSERT INTO "counter" VALUES('fact_customer',1);
INSERT INTO "counter" VALUES('order_item',1);
INSERT INTO "counter" VALUES('shop_meta',2);
INSERT INTO "counter" VALUES('order_note',2);
INSERT INTO "counter" VALUES('admin_note',1);
INSERT INTO "counter" VALUES('webhook',1);
INSERT INTO "counter" VALUES('webhook_delivery',1);
CREATE TABLE coupon (
	id INTEGER NOT NULL, 
	code TEXT NOT NULL, 
	code_key TEXT NOT NULL, 
	status TEXT NOT NULL, 
	description TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	amount BIGINT NOT NULL, 
	created BIGINT NOT NULL, 
	modified BIGINT NOT NULL, 
	expires BIGINT, 
	individual_use BOOLEAN NOT NULL, 
	exclude_sale_items BOOLEAN NOT NULL, 
	free_shipping BOOLEAN NOT NULL, 
	products TEXT NOT NULL, 
	excluded_products TEXT NOT NULL, 
	categories TEXT NOT NULL, 
	excluded_categories TEXT NOT NULL, 
	emails TEXT NOT NULL, 
	usage_limit INTEGER, 
	usage_limit_per_user INTEGER, 
	most_pieces INTEGER, 
	minimum BIGINT, 
	maximum BIGINT, 
	usage_count INTEGER NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "coupon" VALUES(16,'spring','spring','publish','','percent',10000000,1795467985,1795467985,NULL,0,0,0,'[]','[]','[]','[]','[]',NULL,NULL,NULL,NULL,NULL,0);
CREATE TABLE coupon_use (
	id INTEGER NOT NULL, 
	coupon INTEGER NOT NULL, 
	"order" INTEGER NOT NULL, 
	"by" TEXT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(coupon) REFERENCES coupon (id) ON DELETE CASCADE
);
CREATE TABLE ended_session (
	digest TEXT NOT NULL, 
	until BIGINT NOT NULL, 
	PRIMARY KEY (digest)
);
CREATE TABLE fact_coupon (
	"order" INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	coupon INTEGER NOT NULL, 
	status TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	created_month INTEGER NOT NULL, 
	amount BIGINT NOT NULL, 
	PRIMARY KEY ("order", position)
);
CREATE TABLE fact_customer (
	id INTEGER NOT NULL, 
	account INTEGER NOT NULL, 
	email_key TEXT NOT NULL, 
	username TEXT NOT NULL, 
	first_name TEXT NOT NULL, 
	last_name TEXT NOT NULL, 
	name_key TEXT NOT NULL, 
	email TEXT NOT NULL, 
	country TEXT NOT NULL, 
	state TEXT NOT NULL, 
	city TEXT NOT NULL, 
	postcode TEXT NOT NULL, 
	registered BIGINT, 
	last_active BIGINT, 
	orders INTEGER NOT NULL, 
	spend BIGINT NOT NULL, 
	last_order BIGINT, 
	gone BIGINT, 
	PRIMARY KEY (id)
);
INSERT INTO "fact_customer" VALUES(1,6,'ada@example.org','ada','','','','ada@example.org','','','','',1795467985,1795467985,1,20000000,1795471585,NULL);
CREATE TABLE fact_line (
	"order" INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	product INTEGER NOT NULL, 
	variation INTEGER NOT NULL, 
	status TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	created_month INTEGER NOT NULL, 
	quantity INTEGER NOT NULL, 
	net BIGINT NOT NULL, 
	tax BIGINT NOT NULL, 
	shipping BIGINT NOT NULL, 
	shipping_tax BIGINT NOT NULL, 
	gross BIGINT NOT NULL, 
	PRIMARY KEY ("order", position)
);
INSERT INTO "fact_line" VALUES(17,0,15,0,'completed',1795471585,24322,2,25000000,0,0,0,25000000);
CREATE TABLE fact_order (
	id INTEGER NOT NULL, 
	parent INTEGER NOT NULL, 
	status TEXT NOT NULL, 
	customer INTEGER NOT NULL, 
	created_gmt BIGINT NOT NULL, 
	created BIGINT NOT NULL, 
	created_month INTEGER NOT NULL, 
	paid BIGINT, 
	paid_month INTEGER, 
	completed BIGINT, 
	completed_month INTEGER, 
	items INTEGER NOT NULL, 
	total BIGINT NOT NULL, 
	tax BIGINT NOT NULL, 
	shipping BIGINT NOT NULL, 
	net BIGINT NOT NULL, 
	coupons BIGINT NOT NULL, 
	repeat INTEGER, 
	PRIMARY KEY (id)
);
INSERT INTO "fact_order" VALUES(17,0,'completed',1,1795467985,1795471585,24322,1795471585,24322,1795471585,24322,2,25000000,0,0,25000000,0,0);
INSERT INTO "fact_order" VALUES(18,17,'completed',1,1795467985,1795471585,24322,1795471585,24322,1795471585,24322,0,-5000000,0,0,-5000000,0,NULL);
CREATE TABLE fact_rollup (
	kind TEXT NOT NULL, 
	dates TEXT NOT NULL, 
	unit INTEGER NOT NULL, 
	sums TEXT NOT NULL, 
	PRIMARY KEY (kind, dates, unit)
);
CREATE TABLE fact_rollup_stale (
	dates TEXT NOT NULL, 
	unit INTEGER NOT NULL, 
	product INTEGER NOT NULL, 
	PRIMARY KEY (dates, unit, product)
);
CREATE TABLE fact_tax (
	"order" INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	rate INTEGER NOT NULL, 
	parent INTEGER NOT NULL, 
	status TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	created_month INTEGER NOT NULL, 
	order_tax BIGINT NOT NULL, 
	shipping_tax BIGINT NOT NULL, 
	total BIGINT NOT NULL, 
	code TEXT NOT NULL, 
	percent BIGINT NOT NULL, 
	PRIMARY KEY ("order", position)
);
CREATE TABLE failure (
	"key" TEXT NOT NULL, 
	count INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY ("key")
);
CREATE TABLE feed (
	address TEXT NOT NULL, 
	entries TEXT NOT NULL, 
	read BIGINT NOT NULL, 
	due BIGINT NOT NULL, 
	failures INTEGER NOT NULL, 
	PRIMARY KEY (address)
);
CREATE TABLE job (
	id INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	arguments TEXT NOT NULL, 
	due BIGINT NOT NULL, 
	state TEXT NOT NULL, 
	attempts INTEGER NOT NULL, 
	last_error TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	started BIGINT, 
	finished BIGINT, 
	"key" TEXT, 
	PRIMARY KEY (id), 
	UNIQUE ("key")
);
INSERT INTO "job" VALUES(1,'publish','{"record":13}',32472140400,'waiting',0,'',1795467985,NULL,NULL,'publish:13');
INSERT INTO "job" VALUES(2,'shop.mail','{"mail":1}',1795467985,'waiting',0,'',1795467985,NULL,NULL,NULL);
INSERT INTO "job" VALUES(3,'shop.mail','{"mail":2}',1795467985,'waiting',0,'',1795467985,NULL,NULL,NULL);
INSERT INTO "job" VALUES(4,'shop.mail','{"mail":3}',1795467985,'waiting',0,'',1795467985,NULL,NULL,NULL);
INSERT INTO "job" VALUES(5,'shop.mail','{"mail":4}',1795467985,'waiting',0,'',1795467985,NULL,NULL,NULL);
INSERT INTO "job" VALUES(6,'shop.deliver','{"delivery":1}',1795467985,'waiting',0,'',1795467985,NULL,NULL,NULL);
CREATE TABLE media (
	record INTEGER NOT NULL, 
	file TEXT NOT NULL, 
	original TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	mime_type TEXT NOT NULL, 
	width INTEGER NOT NULL, 
	height INTEGER NOT NULL, 
	filesize BIGINT NOT NULL, 
	alt_text TEXT NOT NULL, 
	sizes TEXT NOT NULL, 
	details TEXT NOT NULL, 
	PRIMARY KEY (record), 
	FOREIGN KEY(record) REFERENCES record (id) ON DELETE CASCADE
);
CREATE TABLE menu_item (
	record INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	object TEXT NOT NULL, 
	object_id INTEGER NOT NULL, 
	parent INTEGER NOT NULL, 
	url TEXT NOT NULL, 
	target TEXT NOT NULL, 
	classes TEXT NOT NULL, 
	xfn TEXT NOT NULL, 
	PRIMARY KEY (record), 
	FOREIGN KEY(record) REFERENCES record (id) ON DELETE CASCADE
);
CREATE TABLE mlang_batch (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	name_key TEXT NOT NULL, 
	service_number INTEGER, 
	service_address TEXT NOT NULL, 
	updated BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE mlang_catalog_file (
	path TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	component TEXT NOT NULL, 
	domain TEXT NOT NULL, 
	language TEXT NOT NULL, 
	mark TEXT NOT NULL, 
	state TEXT NOT NULL, 
	entries INTEGER NOT NULL, 
	fault TEXT NOT NULL, 
	PRIMARY KEY (path)
);
CREATE TABLE mlang_field (
	job INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	label TEXT NOT NULL, 
	wrap_tag TEXT NOT NULL, 
	format TEXT NOT NULL, 
	reused TEXT NOT NULL, 
	wanted BOOLEAN NOT NULL, 
	source TEXT NOT NULL, 
	target TEXT NOT NULL, 
	finished BOOLEAN NOT NULL, 
	PRIMARY KEY (job, position), 
	FOREIGN KEY(job) REFERENCES mlang_job (id) ON DELETE CASCADE
);
CREATE TABLE mlang_job (
	id INTEGER NOT NULL, 
	rid INTEGER NOT NULL, 
	revision INTEGER, 
	translated BOOLEAN NOT NULL, 
	manager INTEGER NOT NULL, 
	translator INTEGER NOT NULL, 
	title TEXT NOT NULL, 
	note TEXT NOT NULL, 
	editor TEXT NOT NULL, 
	editor_job INTEGER NOT NULL, 
	automatic BOOLEAN NOT NULL, 
	sent BIGINT NOT NULL, 
	deadline BIGINT NOT NULL, 
	edited BIGINT NOT NULL, 
	completed BIGINT NOT NULL, 
	words INTEGER NOT NULL, 
	costs INTEGER NOT NULL, 
	synchronised INTEGER NOT NULL, 
	service_data TEXT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(rid) REFERENCES mlang_status (rid) ON DELETE CASCADE
);
CREATE TABLE mlang_lock (
	name TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	until BIGINT NOT NULL, 
	PRIMARY KEY (name)
);
CREATE TABLE mlang_service_job (
	job INTEGER NOT NULL, 
	state TEXT NOT NULL, 
	sent TEXT NOT NULL, 
	filled TEXT NOT NULL, 
	automatic BOOLEAN NOT NULL, 
	received BIGINT NOT NULL, 
	PRIMARY KEY (job)
);
CREATE TABLE mlang_setting (
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (name)
);
CREATE TABLE mlang_status (
	rid INTEGER NOT NULL, 
	type TEXT NOT NULL, 
	element_type TEXT NOT NULL, 
	element INTEGER NOT NULL, 
	source_language TEXT NOT NULL, 
	target_language TEXT NOT NULL, 
	translation INTEGER NOT NULL, 
	job INTEGER NOT NULL, 
	status INTEGER NOT NULL, 
	needs_update BOOLEAN NOT NULL, 
	md5 TEXT NOT NULL, 
	service TEXT NOT NULL, 
	service_number INTEGER NOT NULL, 
	service_revision INTEGER NOT NULL, 
	service_status TEXT NOT NULL, 
	review TEXT NOT NULL, 
	retries INTEGER NOT NULL, 
	batch INTEGER NOT NULL, 
	previous TEXT NOT NULL, 
	translator INTEGER NOT NULL, 
	title TEXT NOT NULL, 
	title_key TEXT NOT NULL, 
	editor TEXT NOT NULL, 
	automatic BOOLEAN NOT NULL, 
	sent BIGINT NOT NULL, 
	deadline BIGINT NOT NULL, 
	batch_key TEXT NOT NULL, 
	PRIMARY KEY (rid), 
	CONSTRAINT mlang_status_of_element UNIQUE (element_type, element, target_language)
);
CREATE TABLE mlang_string (
	id INTEGER NOT NULL, 
	"key" TEXT NOT NULL, 
	domain TEXT NOT NULL, 
	name TEXT NOT NULL, 
	context TEXT NOT NULL, 
	language TEXT NOT NULL, 
	value TEXT NOT NULL, 
	plural TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	words INTEGER NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE ("key")
);
INSERT INTO "mlang_string" VALUES(1,'d93517781497a09dcd30a8287a07dc599cc23bb8','cms','Site Title','','en','Vetrina','','LINE',1);
INSERT INTO "mlang_string" VALUES(2,'d29c728b5a4160a118de3ef1272105e2f7bbde73','authors','name_1','','en','admin','','LINE',1);
INSERT INTO "mlang_string" VALUES(3,'f2ae3b87a7b9c2974131a0196c0e2f1bd39e3012','authors','name_2','','en','editor','','LINE',1);
INSERT INTO "mlang_string" VALUES(4,'f9f9c0c8eabe7332e8dd03fde58a6ec8f2bd6ef7','authors','name_3','','en','author','','LINE',1);
INSERT INTO "mlang_string" VALUES(5,'31b970f560d9f7a6d6174d6bef8abfa9280c613a','authors','name_4','','en','contributor','','LINE',1);
CREATE TABLE mlang_string_translation (
	string INTEGER NOT NULL, 
	language TEXT NOT NULL, 
	status INTEGER NOT NULL, 
	value TEXT, 
	shipped TEXT, 
	changed BIGINT NOT NULL, 
	fresh BOOLEAN NOT NULL, 
	"before" INTEGER NOT NULL, 
	PRIMARY KEY (string, language), 
	FOREIGN KEY(string) REFERENCES mlang_string (id) ON DELETE CASCADE
);
CREATE TABLE option (
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "option" VALUES('email','"admin@example.org"');
INSERT INTO "option" VALUES('default_product_cat','2');
INSERT INTO "option" VALUES('shop_shop_page_id','1');
INSERT INTO "option" VALUES('shop_cart_page_id','2');
INSERT INTO "option" VALUES('shop_checkout_page_id','3');
INSERT INTO "option" VALUES('shop_myaccount_page_id','4');
CREATE TABLE order_download (
	id INTEGER NOT NULL, 
	"order" INTEGER NOT NULL, 
	product INTEGER NOT NULL, 
	download TEXT NOT NULL, 
	customer INTEGER NOT NULL, 
	email_key TEXT NOT NULL, 
	"left" INTEGER NOT NULL, 
	expires BIGINT, 
	granted BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY("order") REFERENCES shop_order (id) ON DELETE CASCADE
);
CREATE TABLE order_file_fetch (
	id INTEGER NOT NULL, 
	"order" INTEGER NOT NULL, 
	product INTEGER NOT NULL, 
	download TEXT NOT NULL, 
	customer INTEGER NOT NULL, 
	ip TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	created BIGINT NOT NULL, 
	created_month INTEGER NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE order_item (
	id INTEGER NOT NULL, 
	owner INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	name TEXT NOT NULL, 
	product INTEGER NOT NULL, 
	variation INTEGER NOT NULL, 
	quantity INTEGER NOT NULL, 
	tax_class TEXT NOT NULL, 
	tax_status TEXT NOT NULL, 
	subtotal BIGINT NOT NULL, 
	subtotal_tax BIGINT NOT NULL, 
	total BIGINT NOT NULL, 
	total_tax BIGINT NOT NULL, 
	subtotal_taxes TEXT NOT NULL, 
	taxes TEXT NOT NULL, 
	code TEXT NOT NULL, 
	reference INTEGER NOT NULL, 
	details TEXT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "order_item" VALUES(1,17,'line','Cup',15,0,2,'','taxable',25000000,0,25000000,0,'{}','{}','',0,'{}');
CREATE TABLE order_item_cost (
	item INTEGER NOT NULL, 
	value BIGINT NOT NULL, 
	PRIMARY KEY (item), 
	FOREIGN KEY(item) REFERENCES order_item (id) ON DELETE CASCADE
);
CREATE TABLE order_note (
	id INTEGER NOT NULL, 
	"order" INTEGER NOT NULL, 
	author TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	note TEXT NOT NULL, 
	for_customer BOOLEAN NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY("order") REFERENCES shop_order (id) ON DELETE CASCADE
);
INSERT INTO "order_note" VALUES(1,17,'Shop',1795467985,'Order status changed from Pending payment to Completed.',0);
INSERT INTO "order_note" VALUES(2,17,'Shop',1795467985,'Stock levels reduced: Cup (9&rarr;7)',0);
CREATE TABLE order_receipt (
	"order" INTEGER NOT NULL, 
	"key" TEXT NOT NULL, 
	expires BIGINT NOT NULL, 
	page TEXT NOT NULL, 
	PRIMARY KEY ("order"), 
	FOREIGN KEY("order") REFERENCES shop_order (id) ON DELETE CASCADE, 
	UNIQUE ("key")
);
CREATE TABLE outbox_mail (
	id INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	about INTEGER NOT NULL, 
	recipients TEXT NOT NULL, 
	subject TEXT NOT NULL, 
	text TEXT NOT NULL, 
	state TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	sent BIGINT, 
	error TEXT NOT NULL, 
	language TEXT DEFAULT '' NOT NULL, 
	data TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "outbox_mail" VALUES(1,'customer_new_account',6,'["ada@example.org"]','','','waiting',1795467985,NULL,'','en','{}');
INSERT INTO "outbox_mail" VALUES(2,'new_order',17,'["admin@example.org"]','','','waiting',1795467985,NULL,'','','{}');
INSERT INTO "outbox_mail" VALUES(3,'customer_completed_order',17,'["ada@example.org"]','','','waiting',1795467985,NULL,'','en','{}');
INSERT INTO "outbox_mail" VALUES(4,'customer_refunded_order',17,'["ada@example.org"]','','','waiting',1795467985,NULL,'','en','{"refund":18,"whole":false}');
CREATE TABLE password_reset (
	account INTEGER NOT NULL, 
	digest TEXT NOT NULL, 
	until BIGINT NOT NULL, 
	PRIMARY KEY (account), 
	FOREIGN KEY(account) REFERENCES account (id) ON DELETE CASCADE
);
CREATE TABLE payment_attempt (
	id INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	"order" INTEGER NOT NULL, 
	parent INTEGER NOT NULL, 
	gateway TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	state TEXT NOT NULL, 
	amount BIGINT NOT NULL, 
	currency TEXT NOT NULL, 
	reference TEXT NOT NULL, 
	message TEXT NOT NULL, 
	redirect_url TEXT NOT NULL, 
	details TEXT NOT NULL, 
	cart TEXT NOT NULL, 
	refund INTEGER NOT NULL, 
	tries INTEGER NOT NULL, 
	created BIGINT NOT NULL, 
	modified BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE ("key")
);
CREATE TABLE payment_event (
	gateway TEXT NOT NULL, 
	event TEXT NOT NULL, 
	attempt INTEGER NOT NULL, 
	payment TEXT NOT NULL, 
	state TEXT NOT NULL, 
	amount BIGINT, 
	currency TEXT NOT NULL, 
	message TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	PRIMARY KEY (gateway, event)
);
CREATE TABLE product (
	record INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	sku TEXT NOT NULL, 
	sku_key TEXT NOT NULL, 
	global_unique_id TEXT NOT NULL, 
	visibility TEXT NOT NULL, 
	featured BOOLEAN NOT NULL, 
	regular_price TEXT NOT NULL, 
	sale_price TEXT NOT NULL, 
	sale_from BIGINT, 
	sale_to BIGINT, 
	price TEXT NOT NULL, 
	price_from BIGINT, 
	price_to BIGINT, 
	regular_from BIGINT, 
	regular_to BIGINT, 
	on_sale BOOLEAN NOT NULL, 
	total_sales INTEGER NOT NULL, 
	tax_status TEXT NOT NULL, 
	tax_class TEXT NOT NULL, 
	manage_stock BOOLEAN NOT NULL, 
	stock_quantity INTEGER, 
	stock_status TEXT NOT NULL, 
	backorders TEXT NOT NULL, 
	low_stock_amount INTEGER, 
	sold_individually BOOLEAN NOT NULL, 
	weight TEXT NOT NULL, 
	length TEXT NOT NULL, 
	width TEXT NOT NULL, 
	height TEXT NOT NULL, 
	"virtual" BOOLEAN NOT NULL, 
	downloadable BOOLEAN NOT NULL, 
	downloads TEXT NOT NULL, 
	download_limit INTEGER NOT NULL, 
	download_expiry INTEGER NOT NULL, 
	external_url TEXT NOT NULL, 
	button_text TEXT NOT NULL, 
	purchase_note TEXT NOT NULL, 
	rating INTEGER NOT NULL, 
	rating_count INTEGER NOT NULL, 
	gallery TEXT NOT NULL, 
	attributes TEXT NOT NULL, 
	default_attributes TEXT NOT NULL, 
	choices TEXT NOT NULL, 
	PRIMARY KEY (record), 
	FOREIGN KEY(record) REFERENCES record (id) ON DELETE CASCADE
);
INSERT INTO "product" VALUES(15,'simple','','','','visible',0,'12.50','',NULL,NULL,'12.50',12500000,12500000,12500000,12500000,0,2,'taxable','',1,7,'instock','no',NULL,0,'','','','',0,0,'[]',-1,-1,'','','',0,0,'[]','[]','[]','{}');
CREATE TABLE product_attribute (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	slug TEXT NOT NULL, 
	type TEXT NOT NULL, 
	order_by TEXT NOT NULL, 
	has_archives BOOLEAN NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT product_attribute_slug UNIQUE (slug)
);
CREATE TABLE product_cost (
	record INTEGER NOT NULL, 
	value BIGINT, 
	is_additive BOOLEAN NOT NULL, 
	PRIMARY KEY (record), 
	FOREIGN KEY(record) REFERENCES record (id) ON DELETE CASCADE
);
CREATE TABLE product_link (
	record INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	other INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	PRIMARY KEY (record, kind, other), 
	FOREIGN KEY(record) REFERENCES record (id) ON DELETE CASCADE
);
CREATE TABLE record (
	id INTEGER NOT NULL, 
	type TEXT NOT NULL, 
	status TEXT NOT NULL, 
	language TEXT NOT NULL, 
	translations INTEGER NOT NULL, 
	slug TEXT NOT NULL, 
	author INTEGER NOT NULL, 
	parent INTEGER NOT NULL, 
	menu_order INTEGER NOT NULL, 
	date BIGINT NOT NULL, 
	date_gmt BIGINT NOT NULL, 
	modified BIGINT NOT NULL, 
	modified_gmt BIGINT NOT NULL, 
	title TEXT NOT NULL, 
	title_key TEXT NOT NULL, 
	title_html TEXT NOT NULL, 
	content TEXT NOT NULL, 
	content_html TEXT NOT NULL, 
	block_version INTEGER NOT NULL, 
	excerpt TEXT NOT NULL, 
	excerpt_html TEXT NOT NULL, 
	renderer INTEGER NOT NULL, 
	password TEXT NOT NULL, 
	comment_status TEXT NOT NULL, 
	ping_status TEXT NOT NULL, 
	format TEXT NOT NULL, 
	template TEXT NOT NULL, 
	featured_media INTEGER NOT NULL, 
	guid TEXT NOT NULL, 
	trashed_status TEXT NOT NULL, 
	trashed_slug TEXT NOT NULL, 
	revisions INTEGER NOT NULL, 
	last_revision INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	meta TEXT NOT NULL, 
	floating BOOLEAN NOT NULL, 
	sticky BOOLEAN NOT NULL, 
	dynamic BOOLEAN NOT NULL, 
	source_language TEXT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT record_translation UNIQUE (translations, language)
);
INSERT INTO "record" VALUES(1,'page','publish','en',1,'shop',1,0,0,1795471585,1795467985,1795471585,1795467985,'Shop','shop','Shop','','',0,'','',3,'','closed','closed','standard','',0,'http://127.0.0.1:8000/en/shop/','','',0,0,1,'{}',0,0,0,'');
INSERT INTO "record" VALUES(2,'page','publish','en',2,'cart',1,0,0,1795471585,1795467985,1795471585,1795467985,'Cart','cart','Cart','','',0,'','',3,'','closed','closed','standard','',0,'http://127.0.0.1:8000/en/cart/','','',0,0,1,'{}',0,0,0,'');
INSERT INTO "record" VALUES(3,'page','publish','en',3,'checkout',1,0,0,1795471585,1795467985,1795471585,1795467985,'Checkout','checkout','Checkout','','',0,'','',3,'','closed','closed','standard','',0,'http://127.0.0.1:8000/en/checkout/','','',0,0,1,'{}',0,0,0,'');
INSERT INTO "record" VALUES(4,'page','publish','en',4,'my-account',1,0,0,1795471585,1795467985,1795471585,1795467985,'My account','my account','My account','','',0,'','',3,'','closed','closed','standard','',0,'http://127.0.0.1:8000/en/my-account/','','',0,0,1,'{}',0,0,0,'');
INSERT INTO "record" VALUES(11,'post','publish','en',11,'caffe',1,0,0,1795471585,1795467985,1795471585,1795467985,'Caffè','caffe','Caffè','<p>A second text.</p>','<p>A second text.</p>
',0,'','<p>A second text.</p>
',3,'','open','open','standard','',0,'http://vetrina.test/en/2026/11/23/caffe/','','',1,12,2,'{}',0,0,0,'');
INSERT INTO "record" VALUES(13,'post','future','en',13,'later',1,0,0,32472144000,32472140400,32472144000,32472140400,'Later','later','Later','','',0,'','',3,'','open','open','standard','',0,'http://vetrina.test/en/?p=13','','',0,0,1,'{}',0,0,0,'');
INSERT INTO "record" VALUES(14,'page','publish','en',14,'about',1,0,0,1795471585,1795467985,1795471585,1795467985,'About','about','About','','',0,'','',3,'','closed','closed','standard','',0,'http://vetrina.test/en/about/','','',0,0,1,'{}',0,0,0,'');
INSERT INTO "record" VALUES(15,'product','publish','en',15,'cup',1,0,0,1795471585,1795467985,1795471585,1795467985,'Cup','cup','Cup','','',0,'','',3,'','open','closed','standard','',0,'http://vetrina.test/en/product/cup/','','',0,0,1,'{}',0,0,0,'');
CREATE TABLE record_term (
	record INTEGER NOT NULL, 
	term INTEGER NOT NULL, 
	type TEXT NOT NULL, 
	status TEXT NOT NULL, 
	language TEXT NOT NULL, 
	date BIGINT NOT NULL, 
	PRIMARY KEY (record, term), 
	FOREIGN KEY(record) REFERENCES record (id) ON DELETE CASCADE, 
	FOREIGN KEY(term) REFERENCES term (id) ON DELETE CASCADE
);
INSERT INTO "record_term" VALUES(11,16,'post','publish','en',1795471585);
INSERT INTO "record_term" VALUES(13,1,'post','future','en',32472144000);
INSERT INTO "record_term" VALUES(15,2,'product','publish','en',1795471585);
CREATE TABLE report_export (
	id INTEGER NOT NULL, 
	type TEXT NOT NULL, 
	arguments TEXT NOT NULL, 
	account INTEGER NOT NULL, 
	recipient TEXT NOT NULL, 
	done INTEGER NOT NULL, 
	total INTEGER NOT NULL, 
	created BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE revision (
	id INTEGER NOT NULL, 
	parent INTEGER NOT NULL, 
	author INTEGER NOT NULL, 
	date BIGINT NOT NULL, 
	date_gmt BIGINT NOT NULL, 
	modified BIGINT NOT NULL, 
	modified_gmt BIGINT NOT NULL, 
	title TEXT NOT NULL, 
	title_key TEXT NOT NULL, 
	content TEXT NOT NULL, 
	excerpt TEXT NOT NULL, 
	search_key TEXT NOT NULL, 
	guid TEXT NOT NULL, 
	autosave BOOLEAN NOT NULL, 
	meta TEXT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(parent) REFERENCES record (id) ON DELETE CASCADE
);
INSERT INTO "revision" VALUES(12,11,1,1795471585,1795467985,1795471585,1795467985,'Caffè','caffe','<p>A second text.</p>','','caffe<p>a second text.</p>','http://vetrina.test/en/?p=12',0,'{}');
CREATE TABLE search_entry (
	entry INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	record INTEGER NOT NULL, 
	UNIQUE (record)
);
CREATE TABLE searchable (
	record INTEGER NOT NULL, 
	title TEXT NOT NULL, 
	content TEXT NOT NULL, 
	excerpt TEXT NOT NULL, 
	names TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (record), 
	FOREIGN KEY(record) REFERENCES record (id) ON DELETE CASCADE
);
INSERT INTO "searchable" VALUES(1,'shop','','','');
INSERT INTO "searchable" VALUES(2,'cart','','','');
INSERT INTO "searchable" VALUES(3,'checkout','','','');
INSERT INTO "searchable" VALUES(4,'my account','','','');
INSERT INTO "searchable" VALUES(11,'caffe','<p>a second text.</p>','','');
INSERT INTO "searchable" VALUES(13,'later','','','');
INSERT INTO "searchable" VALUES(14,'about','','','');
INSERT INTO "searchable" VALUES(15,'cup','','','');
CREATE TABLE shipping_method (
	id INTEGER NOT NULL, 
	zone INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	enabled BOOLEAN NOT NULL, 
	settings TEXT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE shipping_place (
	id INTEGER NOT NULL, 
	zone INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	code TEXT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(zone) REFERENCES shipping_zone (id) ON DELETE CASCADE
);
CREATE TABLE shipping_zone (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE shop_cart (
	"key" TEXT NOT NULL, 
	lines TEXT NOT NULL, 
	coupons TEXT NOT NULL, 
	billing TEXT NOT NULL, 
	shipping TEXT NOT NULL, 
	rate TEXT NOT NULL, 
	draft INTEGER NOT NULL, 
	modified INTEGER NOT NULL, 
	PRIMARY KEY ("key")
);
CREATE TABLE shop_customer (
	account INTEGER NOT NULL, 
	billing TEXT NOT NULL, 
	shipping TEXT NOT NULL, 
	paying BOOLEAN NOT NULL, 
	modified BIGINT NOT NULL, 
	PRIMARY KEY (account), 
	FOREIGN KEY(account) REFERENCES account (id) ON DELETE CASCADE
);
INSERT INTO "shop_customer" VALUES(6,'{"first_name":"","last_name":"","company":"","address_1":"","address_2":"","city":"","state":"","postcode":"","country":"","email":"","phone":""}','{"first_name":"","last_name":"","company":"","address_1":"","address_2":"","city":"","state":"","postcode":"","country":"","phone":""}',1,1795467985);
CREATE TABLE shop_key (
	id INTEGER NOT NULL, 
	account INTEGER NOT NULL, 
	description TEXT NOT NULL, 
	permissions TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	tail TEXT NOT NULL, 
	secret TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	last_used BIGINT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(account) REFERENCES account (id) ON DELETE CASCADE, 
	UNIQUE (digest)
);
CREATE TABLE shop_meta (
	id INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	owner INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "shop_meta" VALUES(1,'order_item',1,'_reduced_stock','"2"');
INSERT INTO "shop_meta" VALUES(2,'refund',18,'_refund_type','"partial"');
CREATE TABLE shop_nonce (
	"key" INTEGER NOT NULL, 
	nonce TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY ("key", nonce), 
	FOREIGN KEY("key") REFERENCES shop_key (id) ON DELETE CASCADE
);
CREATE TABLE shop_order (
	id INTEGER NOT NULL, 
	parent INTEGER NOT NULL, 
	status TEXT NOT NULL, 
	trashed_status TEXT NOT NULL, 
	currency TEXT NOT NULL, 
	prices_include_tax BOOLEAN NOT NULL, 
	customer INTEGER NOT NULL, 
	created BIGINT NOT NULL, 
	modified BIGINT NOT NULL, 
	paid BIGINT, 
	completed BIGINT, 
	discount BIGINT NOT NULL, 
	discount_tax BIGINT NOT NULL, 
	shipping BIGINT NOT NULL, 
	shipping_tax BIGINT NOT NULL, 
	cart_tax BIGINT NOT NULL, 
	total BIGINT NOT NULL, 
	total_tax BIGINT NOT NULL, 
	order_key TEXT NOT NULL, 
	payment_method TEXT NOT NULL, 
	payment_method_title TEXT NOT NULL, 
	transaction_id TEXT NOT NULL, 
	customer_ip TEXT NOT NULL, 
	customer_agent TEXT NOT NULL, 
	created_via TEXT NOT NULL, 
	customer_note TEXT NOT NULL, 
	cart_hash TEXT NOT NULL, 
	billing TEXT NOT NULL, 
	shipping_address TEXT NOT NULL, 
	email_key TEXT NOT NULL, 
	search_key TEXT NOT NULL, 
	stock_taken BOOLEAN NOT NULL, 
	coupons_counted BOOLEAN NOT NULL, 
	sales_counted BOOLEAN NOT NULL, 
	language TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "shop_order" VALUES(17,0,'completed','','USD',0,6,1795467985,1795467985,1795467985,1795467985,0,0,0,0,0,25000000,0,'shop_order_ydpwqCyZhyDra','','','','','','rest-api','','','{"first_name":"","last_name":"","company":"","address_1":"","address_2":"","city":"","state":"","postcode":"","country":"","email":"ada@example.org","phone":""}','{"first_name":"","last_name":"","company":"","address_1":"","address_2":"","city":"","state":"","postcode":"","country":"","phone":""}','ada@example.org','17 ada@example.org',1,1,1,'en');
CREATE TABLE shop_refund (
	id INTEGER NOT NULL, 
	"order" INTEGER NOT NULL, 
	amount BIGINT NOT NULL, 
	reason TEXT NOT NULL, 
	refunded_by INTEGER NOT NULL, 
	refunded_payment BOOLEAN NOT NULL, 
	whole BOOLEAN NOT NULL, 
	created BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY("order") REFERENCES shop_order (id) ON DELETE CASCADE
);
INSERT INTO "shop_refund" VALUES(18,17,5000000,'',1,0,0,1795467985);
ANALYZE "sqlite_master";
INSERT INTO "sqlite_stat1" VALUES('record',NULL,'100000');
INSERT INTO "sqlite_stat1" VALUES('record','record_by_date','100000 50000 25000 20000 1 1 1');
INSERT INTO "sqlite_stat1" VALUES('record','record_by_id','100000 50000 25000 20000 1 1');
INSERT INTO "sqlite_stat1" VALUES('record','record_by_modified','100000 50000 25000 20000 1 1');
INSERT INTO "sqlite_stat1" VALUES('record','record_by_title','100000 50000 25000 20000 1 1');
INSERT INTO "sqlite_stat1" VALUES('record','record_by_order','100000 50000 25000 20000 2000 1');
INSERT INTO "sqlite_stat1" VALUES('record','record_by_author','100000 50000 25000 20000 2000 1 1');
INSERT INTO "sqlite_stat1" VALUES('record','record_by_slug','100000 50000 1 1 1 1');
INSERT INTO "sqlite_stat1" VALUES('record','record_by_group','100000 50000 25000 20000 2 1');
INSERT INTO "sqlite_stat1" VALUES('record','record_by_parent','100000 50000 20 5');
INSERT INTO "sqlite_stat1" VALUES('record','record_in_parent','100000 50000 25000 20000 20000 1');
INSERT INTO "sqlite_stat1" VALUES('record','sqlite_autoindex_record_1','100000 2 1');
INSERT INTO "sqlite_stat1" VALUES('record','record_sticky','10 5 5 5 1 1');
INSERT INTO "sqlite_stat1" VALUES('record','record_by_format','1000 500 500 500 100 1');
INSERT INTO "sqlite_stat1" VALUES('record','record_by_featured','10000 2');
INSERT INTO "sqlite_stat1" VALUES('record','record_due','10 1');
INSERT INTO "sqlite_stat1" VALUES('record_term','sqlite_autoindex_record_term_1','200000 2 1');
INSERT INTO "sqlite_stat1" VALUES('record_term','record_term_by_term','200000 1000 1000 900 800 1 1');
INSERT INTO "sqlite_stat1" VALUES('searchable',NULL,'100000');
INSERT INTO "sqlite_stat1" VALUES('search_entry','sqlite_autoindex_search_entry_1','100000 1');
INSERT INTO "sqlite_stat1" VALUES('revision','revision_by_parent','500000 5 1 1');
INSERT INTO "sqlite_stat1" VALUES('term','sqlite_autoindex_term_1','2000 1000 500 1');
INSERT INTO "sqlite_stat1" VALUES('term','sqlite_autoindex_term_2','2000 2 1');
INSERT INTO "sqlite_stat1" VALUES('term','term_by_name','2000 1000 500 1 1');
INSERT INTO "sqlite_stat1" VALUES('term','term_by_parent','2000 1000 20');
INSERT INTO "sqlite_stat1" VALUES('change',NULL,'1000000');
INSERT INTO "sqlite_stat1" VALUES('product',NULL,'10000');
INSERT INTO "sqlite_stat1" VALUES('product','product_by_sku','10000 2 1');
INSERT INTO "sqlite_stat1" VALUES('product','product_by_price','10000 20 1');
INSERT INTO "sqlite_stat1" VALUES('product','product_by_highest_price','10000 20 1');
INSERT INTO "sqlite_stat1" VALUES('product','product_by_sales','10000 100 1');
INSERT INTO "sqlite_stat1" VALUES('product','product_by_rating','10000 100 50 1');
INSERT INTO "sqlite_stat1" VALUES('product','product_by_stock','10000 3000 1');
INSERT INTO "sqlite_stat1" VALUES('product','product_by_global_id','1000 1');
INSERT INTO "sqlite_stat1" VALUES('product','product_on_sale','1000 1');
INSERT INTO "sqlite_stat1" VALUES('product','product_featured','100 1');
INSERT INTO "sqlite_stat1" VALUES('product_link','sqlite_autoindex_product_link_1','20000 4 2 1');
INSERT INTO "sqlite_stat1" VALUES('product_link','product_link_by_other','20000 7000 2');
INSERT INTO "sqlite_stat1" VALUES('shop_meta','shop_meta_by_owner','50000 15000 5 1');
INSERT INTO "sqlite_stat1" VALUES('shop_meta','shop_meta_by_name','50000 15000 1000');
INSERT INTO "sqlite_stat1" VALUES('mlang_status',NULL,'100000');
INSERT INTO "sqlite_stat1" VALUES('mlang_status','sqlite_autoindex_mlang_status_1','100000 10000 2 1');
INSERT INTO "sqlite_stat1" VALUES('mlang_status','mlang_status_by_status','100000 20000 2 1');
INSERT INTO "sqlite_stat1" VALUES('mlang_status','mlang_status_by_sent','100000 2 1 1 1 1');
INSERT INTO "sqlite_stat1" VALUES('mlang_status','mlang_status_by_deadline','100000 50 1 1 1 1');
INSERT INTO "sqlite_stat1" VALUES('mlang_status','mlang_status_by_title','100000 2 1 1');
INSERT INTO "sqlite_stat1" VALUES('mlang_status','mlang_status_by_batch','100000 100 1');
INSERT INTO "sqlite_stat1" VALUES('mlang_status','mlang_status_by_translation','100000 10000 2');
INSERT INTO "sqlite_stat1" VALUES('mlang_status','mlang_status_by_service','100000 50000 10000 1');
INSERT INTO "sqlite_stat1" VALUES('mlang_status','mlang_status_by_editor','100000 50000 10000 1 1');
INSERT INTO "sqlite_stat1" VALUES('mlang_status','mlang_status_by_translator','100000 5000 1 1 1');
INSERT INTO "sqlite_stat1" VALUES('mlang_status','mlang_status_by_language','100000 25000 20000 1 1 1');
INSERT INTO "sqlite_stat1" VALUES('mlang_status','mlang_status_outdated','5000 2500 1');
INSERT INTO "sqlite_stat1" VALUES('mlang_job',NULL,'200000');
INSERT INTO "sqlite_stat1" VALUES('mlang_job','mlang_job_by_row','200000 2 1');
INSERT INTO "sqlite_stat1" VALUES('mlang_job','mlang_job_by_editor_job','200000 50');
INSERT INTO "sqlite_stat1" VALUES('mlang_batch',NULL,'1000');
INSERT INTO "sqlite_stat1" VALUES('mlang_batch','mlang_batch_by_name','1000 2 1');
INSERT INTO "sqlite_stat1" VALUES('mlang_batch','mlang_batch_by_service_number','1000 10');
INSERT INTO "sqlite_stat1" VALUES('mlang_field','sqlite_autoindex_mlang_field_1','2000000 20 1');
CREATE TABLE tally (
	type TEXT NOT NULL, 
	status TEXT NOT NULL, 
	language TEXT NOT NULL, 
	author INTEGER NOT NULL, 
	count INTEGER NOT NULL, 
	PRIMARY KEY (type, status, language, author)
);
INSERT INTO "tally" VALUES('page','publish','en',1,5);
INSERT INTO "tally" VALUES('post','publish','en',1,1);
INSERT INTO "tally" VALUES('post','future','en',1,1);
INSERT INTO "tally" VALUES('product','publish','en',1,1);
CREATE TABLE tax_class (
	id INTEGER NOT NULL, 
	slug TEXT NOT NULL, 
	name TEXT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (slug)
);
INSERT INTO "tax_class" VALUES(1,'reduced-rate','Reduced rate');
INSERT INTO "tax_class" VALUES(2,'zero-rate','Zero rate');
CREATE TABLE tax_rate (
	id INTEGER NOT NULL, 
	country TEXT NOT NULL, 
	state TEXT NOT NULL, 
	postcodes TEXT NOT NULL, 
	cities TEXT NOT NULL, 
	rate TEXT NOT NULL, 
	name TEXT NOT NULL, 
	priority INTEGER NOT NULL, 
	compound BOOLEAN NOT NULL, 
	shipping BOOLEAN NOT NULL, 
	position INTEGER NOT NULL, 
	tax_class TEXT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE term (
	id INTEGER NOT NULL, 
	taxonomy TEXT NOT NULL, 
	language TEXT NOT NULL, 
	translations INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	name_key TEXT NOT NULL, 
	slug TEXT NOT NULL, 
	description TEXT NOT NULL, 
	parent INTEGER NOT NULL, 
	count INTEGER NOT NULL, 
	meta TEXT NOT NULL, 
	source_language TEXT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT term_slug UNIQUE (taxonomy, language, slug), 
	CONSTRAINT term_translation UNIQUE (translations, language)
);
INSERT INTO "term" VALUES(1,'category','en',1,'Uncategorized','uncategorized','uncategorized','',0,0,'{}','');
INSERT INTO "term" VALUES(2,'product_cat','en',2,'Uncategorized','uncategorized','uncategorized','',0,1,'{}','');
INSERT INTO "term" VALUES(16,'category','en',16,'Harbour','harbour','harbour','',0,1,'{}','');
CREATE TABLE webhook (
	id INTEGER NOT NULL, 
	account INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	status TEXT NOT NULL, 
	topic TEXT NOT NULL, 
	delivery_url TEXT NOT NULL, 
	secret TEXT NOT NULL, 
	root TEXT NOT NULL, 
	failures INTEGER NOT NULL, 
	created BIGINT NOT NULL, 
	modified BIGINT, 
	PRIMARY KEY (id)
);
INSERT INTO "webhook" VALUES(1,1,'Webhook created on 2026-11-23 at 22:06:25','active','order.updated','https://hooks.example/orders','2.mgvZ3YSHYx_slc9-CqTZGVBwtp-mDbj7Gic25WwN1Mmleu_Fv8QJiwWg9erM4MEBBq1J8SH5Pw4WLrru42s7sXKJzvvqIUV-fV6JYgIJ','http://vetrina.test/en/cms-json',0,1795467985,NULL);
CREATE TABLE webhook_delivery (
	id INTEGER NOT NULL, 
	webhook INTEGER NOT NULL, 
	uid TEXT NOT NULL, 
	topic TEXT NOT NULL, 
	space TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	body TEXT NOT NULL, 
	state TEXT NOT NULL, 
	attempts INTEGER NOT NULL, 
	answer INTEGER NOT NULL, 
	error TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	finished BIGINT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(webhook) REFERENCES webhook (id) ON DELETE CASCADE
);
INSERT INTO "webhook_delivery" VALUES(1,1,'ajur5tve6i1kwbvjsehtd1qj70e6t7t2','order.updated','shop','application/x-www-form-urlencoded','webhook_id=1','waiting',0,0,'',1795467985,NULL);
CREATE TABLE widget (
	id TEXT NOT NULL, 
	id_base TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	sidebar TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	settings TEXT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE INDEX account_by_name ON account (name_key, id);
CREATE INDEX account_by_registered ON account (registered, id);
CREATE INDEX admin_note_by_created ON admin_note (created, id);
CREATE UNIQUE INDEX admin_note_by_name ON admin_note (name, subject);
CREATE INDEX connector_nonce_by_at ON connector_nonce (at);
CREATE INDEX coupon_by_code ON coupon (code_key);
CREATE INDEX coupon_by_created ON coupon (status, created, id);
CREATE INDEX fact_coupon_by_coupon ON fact_coupon (coupon, created);
CREATE INDEX fact_coupon_by_created ON fact_coupon (created);
CREATE INDEX fact_customer_by_account ON fact_customer (account);
CREATE INDEX fact_customer_by_country ON fact_customer (country, orders, gone);
CREATE INDEX fact_customer_by_email ON fact_customer (email_key);
CREATE INDEX fact_customer_by_orders ON fact_customer (orders, id);
CREATE INDEX fact_customer_by_registered ON fact_customer (registered, id);
CREATE INDEX fact_customer_by_spend ON fact_customer (spend, id);
CREATE INDEX fact_line_by_created ON fact_line (created, "order", position);
CREATE INDEX fact_line_by_product ON fact_line (product, created);
CREATE INDEX fact_line_by_variation ON fact_line (variation, created);
CREATE INDEX fact_order_by_completed ON fact_order (completed, id);
CREATE INDEX fact_order_by_created ON fact_order (created, id);
CREATE INDEX fact_order_by_customer ON fact_order (customer, created, id);
CREATE INDEX fact_order_by_paid ON fact_order (paid, id);
CREATE INDEX fact_order_by_parent ON fact_order (parent) WHERE parent > 0;
CREATE INDEX fact_tax_by_created ON fact_tax (created);
CREATE INDEX fact_tax_by_rate ON fact_tax (rate, created);
CREATE INDEX failure_by_at ON failure (at);
CREATE INDEX feed_by_due ON feed (due);
CREATE INDEX job_by_due ON job (state, due, id);
CREATE INDEX job_by_finished ON job (state, finished);
CREATE INDEX mlang_batch_by_name ON mlang_batch (name_key, id);
CREATE INDEX mlang_batch_by_service_number ON mlang_batch (service_number);
CREATE INDEX mlang_catalog_file_by_state ON mlang_catalog_file (state, path);
CREATE INDEX mlang_service_job_by_state ON mlang_service_job (state, job);
CREATE INDEX mlang_status_by_batch ON mlang_status (batch_key, rid);
CREATE INDEX mlang_status_by_deadline ON mlang_status (deadline, rid, status, target_language, source_language);
CREATE INDEX mlang_status_by_editor ON mlang_status (editor, status, rid, service);
CREATE INDEX mlang_status_by_language ON mlang_status (source_language, target_language, rid, status, sent);
CREATE INDEX mlang_status_by_sent ON mlang_status (sent, rid, status, target_language, source_language);
CREATE INDEX mlang_status_by_service ON mlang_status (service, status, rid);
CREATE INDEX mlang_status_by_status ON mlang_status (status, sent, rid);
CREATE INDEX mlang_status_by_title ON mlang_status (title_key, rid, status);
CREATE INDEX mlang_status_by_translation ON mlang_status (element_type, translation);
CREATE INDEX mlang_status_by_translator ON mlang_status (translator, rid, status, service);
CREATE INDEX mlang_status_outdated ON mlang_status (status, rid) WHERE needs_update = 1;
CREATE INDEX mlang_string_by_domain ON mlang_string (domain, id);
CREATE INDEX order_file_fetch_by_created ON order_file_fetch (created, id);
CREATE INDEX order_item_by_code ON order_item (kind, code);
CREATE INDEX order_item_by_owner ON order_item (owner, id);
CREATE INDEX order_item_by_product ON order_item (product, owner);
CREATE INDEX order_item_by_variation ON order_item (variation, owner);
CREATE INDEX outbox_mail_by_about ON outbox_mail (kind, about);
CREATE INDEX outbox_mail_by_state ON outbox_mail (state, id);
CREATE INDEX payment_attempt_by_order ON payment_attempt ("order", id);
CREATE INDEX payment_attempt_by_reference ON payment_attempt (gateway, reference);
CREATE INDEX payment_event_by_payment ON payment_event (gateway, payment, attempt);
CREATE INDEX record_by_author ON record (type, status, language, author, date, id);
CREATE INDEX record_by_date ON record (type, status, language, date, id, modified);
CREATE INDEX record_by_featured ON record (featured_media) WHERE featured_media != 0;
CREATE INDEX record_by_format ON record (type, status, language, format, id) WHERE format != 'standard';
CREATE INDEX record_by_group ON record (type, language, status, translations, id);
CREATE INDEX record_by_id ON record (type, status, language, id, password);
CREATE INDEX record_by_modified ON record (type, status, language, modified, id);
CREATE INDEX record_by_order ON record (type, status, language, menu_order, id);
CREATE INDEX record_by_parent ON record (type, parent, menu_order);
CREATE INDEX record_by_slug ON record (type, slug, status, language, id);
CREATE INDEX record_by_title ON record (type, status, language, title_key, id);
CREATE INDEX record_due ON record (date_gmt) WHERE status || '' = 'future';
CREATE INDEX record_in_parent ON record (type, status, language, parent, id);
CREATE INDEX record_sticky ON record (type, status, language, date, id) WHERE sticky = 1;
CREATE INDEX shipping_method_by_zone ON shipping_method (zone, position, id);
CREATE INDEX shop_cart_by_modified ON shop_cart (modified);
CREATE INDEX shop_meta_by_name ON shop_meta (kind, name);
CREATE INDEX shop_meta_by_owner ON shop_meta (kind, owner, id);
CREATE INDEX shop_order_by_created ON shop_order (created, id);
CREATE INDEX shop_order_by_customer ON shop_order (customer, created, id);
CREATE INDEX shop_order_by_email ON shop_order (email_key, created);
CREATE INDEX shop_order_by_key ON shop_order (order_key);
CREATE INDEX shop_order_by_modified ON shop_order (modified, id);
CREATE INDEX shop_order_by_parent ON shop_order (parent);
CREATE INDEX shop_order_by_status ON shop_order (status, created, id);
CREATE INDEX tax_rate_by_country ON tax_rate (country, tax_class);
CREATE INDEX tax_rate_by_position ON tax_rate (position, id);
CREATE INDEX term_by_name ON term (taxonomy, language, name_key, id);
CREATE INDEX term_by_parent ON term (taxonomy, parent);
CREATE INDEX webhook_by_topic ON webhook (status, topic);
CREATE INDEX widget_by_sidebar ON widget (sidebar, position);
CREATE INDEX app_password_by_account ON app_password (account, created);
CREATE INDEX comment_by_author ON comment (author, date_gmt);
CREATE INDEX comment_by_date ON comment (status, type, date_gmt, id);
CREATE INDEX comment_by_email ON comment (email_key, date_gmt);
CREATE INDEX comment_by_parent ON comment (parent, status);
CREATE INDEX comment_by_post ON comment (post, status, type, date_gmt);
CREATE INDEX coupon_use_by_coupon ON coupon_use (coupon, id);
CREATE INDEX coupon_use_by_order ON coupon_use ("order");
CREATE INDEX media_by_type ON media (kind, mime_type, record);
CREATE INDEX menu_item_by_object ON menu_item (kind, object_id);
CREATE INDEX mlang_job_by_editor_job ON mlang_job (editor_job);
CREATE INDEX mlang_job_by_row ON mlang_job (rid, id);
CREATE INDEX mlang_string_translation_fresh ON mlang_string_translation (fresh, language, string);
CREATE INDEX order_download_by_customer ON order_download (customer);
CREATE INDEX order_download_by_order ON order_download ("order");
CREATE INDEX order_note_by_order ON order_note ("order", id);
CREATE INDEX product_by_global_id ON product (global_unique_id) WHERE global_unique_id != '';
CREATE INDEX product_by_highest_price ON product (price_to, record);
CREATE INDEX product_by_price ON product (price_from, record);
CREATE INDEX product_by_rating ON product (rating, rating_count, record);
CREATE INDEX product_by_sales ON product (total_sales, record);
CREATE INDEX product_by_sku ON product (sku_key);
CREATE INDEX product_by_stock ON product (stock_status, record);
CREATE INDEX product_featured ON product (record) WHERE featured = 1;
CREATE INDEX product_on_sale ON product (record) WHERE on_sale = 1;
CREATE INDEX product_link_by_other ON product_link (kind, other);
CREATE INDEX record_term_by_term ON record_term (term, type, status, language, date, record);
CREATE INDEX revision_by_parent ON revision (parent, date, id);
CREATE INDEX shipping_place_by_zone ON shipping_place (zone, id);
CREATE INDEX shop_key_by_account ON shop_key (account);
CREATE INDEX shop_refund_by_created ON shop_refund (created, id);
CREATE INDEX shop_refund_by_order ON shop_refund ("order", id);
CREATE INDEX webhook_delivery_by_end ON webhook_delivery (finished);
CREATE INDEX webhook_delivery_by_webhook ON webhook_delivery (webhook, id);
CREATE INDEX shop_nonce_by_time ON shop_nonce (at);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('change',53);
COMMIT;
CREATE VIRTUAL TABLE search_index USING fts5(text, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1');
