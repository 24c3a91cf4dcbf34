// SNS and SQS on the loopback address: node server.mjs PORT FOLDER. fauxqs' own command listens on every address.
import { buildApp } from "fauxqs";
// What it does not export, but needs in order to keep its data in a folder.
import { SqsStore } from "./node_modules/fauxqs/dist/sqs/sqsStore.js";
import { SnsStore } from "./node_modules/fauxqs/dist/sns/snsStore.js";
import { S3Store } from "./node_modules/fauxqs/dist/s3/s3Store.js";
import { PersistenceManager } from "./node_modules/fauxqs/dist/persistence.js";

const [port, folder] = process.argv.slice(2);
const persistence = new PersistenceManager(folder);
// It has to outlive this process, not the machine.
persistence.db.exec("PRAGMA synchronous = OFF");
// fauxqs 2.4.1 writes NULL where its own table forbids it, and loses a message that is given back.
const ready = persistence.db.prepare(
    "UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL WHERE message_id = ?");
persistence.updateMessageReady = (messageId) => ready.run(messageId);

const sqsStore = new SqsStore();
const snsStore = new SnsStore();
persistence.loadSqsAndSns(sqsStore, snsStore);
sqsStore.persistence = persistence;
snsStore.persistence = persistence;
for (const queue of sqsStore.allQueues()) {
    queue.persistence = persistence;
}

const app = buildApp({ logger: false, host: "127.0.0.1", stores: { sqsStore, snsStore, s3Store: new S3Store() } });
await app.listen({ port: Number(port), host: "127.0.0.1" });
process.on("SIGTERM", () => app.close().then(() => process.exit(0)));
