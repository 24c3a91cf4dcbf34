CREATE TABLE IF NOT EXISTS orders (id text PRIMARY KEY, total int NOT NULL);
CREATE TABLE IF NOT EXISTS invoices (order_id text PRIMARY KEY REFERENCES orders, total int NOT NULL);
