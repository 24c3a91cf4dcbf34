package dev.posthorn.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.commands.HttpHandler;
import dev.posthorn.commands.HttpRequest;
import dev.posthorn.commands.HttpResponse;
import dev.posthorn.commands.IdempotentHttp;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A request with an idempotency key is handled once. Run with the rights of a consumer. */
class IdempotentHttpTest {

    private CommandScene scene;
    private final AtomicInteger calls = new AtomicInteger();

    @BeforeEach
    void open() throws SQLException {
        scene = new CommandScene();
    }

    @AfterEach
    void close() {
        scene.close();
    }

    private IdempotentHttp<Connection> http(HttpHandler<Connection> handler) {
        return new IdempotentHttp<>(
                "create-order",
                handler,
                new PostgresCommands(scene.pool, Schema.DEFAULT),
                new PostgresWorkflows(scene.pool, Schema.DEFAULT),
                CommandScene.LONG);
    }

    private HttpResponse create(HttpRequest request, Connection connection) throws SQLException {
        String id = "order-" + calls.incrementAndGet();
        CommandScene.write(connection, id + " " + new String(request.body(), UTF_8));
        return new HttpResponse(
                201,
                Map.of("Location", List.of("/orders/" + id), "Set-Cookie", List.of("a=1", "b=2")),
                new byte[] {0, 1, (byte) 0xff});
    }

    private static HttpRequest post(String tenant, String key, String body) {
        return new HttpRequest(
                "POST", "/orders", Optional.of(tenant), Map.of("idempotency-key", key), body.getBytes(UTF_8));
    }

    @Test
    void aRetryGetsTheStoredStatusHeadersAndBody() throws Exception {
        HttpResponse first = http(this::create).handle(post("acme", "k1", "{}"));
        HttpResponse retry = http(this::create).handle(post("acme", "\"k1\"", "{}"));

        assertThat(retry.status()).isEqualTo(first.status()).isEqualTo(201);
        assertThat(retry.headers())
                .isEqualTo(first.headers())
                .containsEntry("Location", List.of("/orders/order-1"))
                .containsEntry("Set-Cookie", List.of("a=1", "b=2"));
        assertThat(retry.body()).isEqualTo(first.body()).containsExactly(0, 1, 0xff);
        assertThat(scene.effects()).containsExactly("order-1 {}");
    }

    @Test
    void theSameKeyWithAnotherRequestIsAConflict() throws Exception {
        http(this::create).handle(post("acme", "k1", "{}"));

        HttpResponse other = http(this::create).handle(post("acme", "k1", "{\"n\": 2}"));
        HttpResponse elsewhere = http(this::create)
                .handle(new HttpRequest(
                        "POST",
                        "/orders?dry",
                        Optional.of("acme"),
                        Map.of("Idempotency-Key", "k1"),
                        "{}".getBytes(UTF_8)));

        assertThat(other.status()).isEqualTo(409);
        assertThat(new String(other.body(), UTF_8)).contains("was used for another request");
        assertThat(other.headers()).containsEntry("Content-Type", List.of("application/problem+json"));
        assertThat(other.headers()).doesNotContainKey("Retry-After");
        assertThat(elsewhere.status()).isEqualTo(409);
        assertThat(calls).hasValue(1);
    }

    @Test
    void oneTenantsKeysAreNothingToAnother() throws Exception {
        assertThat(http(this::create).handle(post("acme", "k1", "{}")).status()).isEqualTo(201);
        assertThat(http(this::create).handle(post("bolt", "k1", "{\"n\": 2}")).status())
                .isEqualTo(201);
        assertThat(calls).hasValue(2);
    }

    @Test
    void aRetryWhileTheFirstIsBeingHandledIsToldToComeLater() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        IdempotentHttp<Connection> http = http((request, connection) -> {
            inside.countDown();
            go.await();
            return create(request, connection);
        });
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Future<HttpResponse> first = thread.submit(() -> http.handle(post("acme", "k1", "{}")));
        inside.await();

        HttpResponse retry = http.handle(post("acme", "k1", "{}"));
        go.countDown();
        thread.shutdown();

        assertThat(retry.status()).isEqualTo(409);
        assertThat(retry.headers()).containsEntry("Retry-After", List.of("1"));
        assertThat(first.get().status()).isEqualTo(201);
        assertThat(calls).hasValue(1);
    }

    @Test
    void anErrorOfTheServerIsUndoneAndNotStored() throws Exception {
        HttpHandler<Connection> failsFirst = (request, connection) -> {
            HttpResponse made = create(request, connection);
            return calls.get() == 1 ? HttpResponse.json(503, "{\"error\": \"later\"}") : made;
        };

        assertThat(http(failsFirst).handle(post("acme", "k1", "{}")).status()).isEqualTo(503);
        assertThat(scene.effects()).isEmpty();
        assertThat(http(failsFirst).handle(post("acme", "k1", "{}")).status()).isEqualTo(201);
        assertThat(scene.effects()).containsExactly("order-2 {}");
    }

    @Test
    void whatTheHandlerThrowsIsTheCallersAndARetryIsHandledAgain() throws Exception {
        HttpHandler<Connection> throwsFirst = (request, connection) -> {
            HttpResponse made = create(request, connection);
            if (calls.get() == 1) {
                throw new IllegalStateException("broken");
            }
            return made;
        };

        assertThatThrownBy(() -> http(throwsFirst).handle(post("acme", "k1", "{}")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("broken");
        assertThat(http(throwsFirst).handle(post("acme", "k1", "{}")).status()).isEqualTo(201);
        assertThat(scene.effects()).containsExactly("order-2 {}");
    }

    @Test
    void anErrorOfTheClientIsStored() throws Exception {
        HttpHandler<Connection> refuses = (request, connection) -> {
            calls.incrementAndGet();
            return HttpResponse.json(422, "{\"error\": \"no such article\"}");
        };

        assertThat(http(refuses).handle(post("acme", "k1", "{}")).status()).isEqualTo(422);
        HttpResponse retry = http(refuses).handle(post("acme", "k1", "{}"));

        assertThat(retry.status()).isEqualTo(422);
        assertThat(new String(retry.body(), UTF_8)).contains("no such article");
        assertThat(calls).hasValue(1);
    }

    @Test
    void aRequestWithoutAUsableKeyIsRefused() throws Exception {
        HttpRequest none = new HttpRequest("POST", "/orders", Optional.empty(), Map.of(), new byte[0]);

        assertThat(http(this::create).handle(none).status()).isEqualTo(400);
        assertThat(http(this::create).handle(post("acme", "\"\"", "{}")).status())
                .isEqualTo(400);
        assertThat(http(this::create)
                        .handle(post("acme", "k".repeat(256), "{}"))
                        .status())
                .isEqualTo(400);
        assertThat(calls).hasValue(0);
    }
}
