// SNS, SQS and S3 on the loopback address: node server.mjs PORT FOLDER. fauxqs' own command listens on every address.
import { buildApp } from "fauxqs";
// What it does not export, but needs in order to keep its data in a folder.
import { SqsStore } from "./node_modules/fauxqs/dist/sqs/sqsStore.js";
import { SnsStore } from "./node_modules/fauxqs/dist/sns/snsStore.js";
import { S3Store } from "./node_modules/fauxqs/dist/s3/s3Store.js";
import symbols from "./node_modules/fastify/lib/symbols.js";
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
// It takes no more than 11 MiB, of what S3 would take in one piece.
app.addHook("onRequest", async (request, reply) => {
    reply[symbols.kRouteContext]._parserOptions.limit = 128 * 1024 * 1024;
});
await app.listen({ port: Number(port), host: "127.0.0.1" });
process.on("SIGTERM", () => app.close().then(() => process.exit(0)));
