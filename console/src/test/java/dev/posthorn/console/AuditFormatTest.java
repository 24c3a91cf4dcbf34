package dev.posthorn.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.postgres.PostgresAudit.Action;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a target of the audit is decides which page is linked. */
class AuditFormatTest {

    @ParameterizedTest
    @CsvSource({
        "redrive,         main, 01890a5d-ac96-774b-bcce-b302099a8057, event",
        "discard,         main, 01890a5d-ac96-774b-bcce-b302099a8057, event",
        "redrive,             , 01890a5d-ac96-774b-bcce-b302099a8057, dead-letter",
        "reprocess,           , 01890a5d-ac96-774b-bcce-b302099a8057, dead-letter",
        "redrive,             , 1330 dead letters,                    ",
        "emit,                , 01890a5d-ac96-774b-bcce-b302099a8057, event",
        "test_route,      main, 01890a5d-ac96-774b-bcce-b302099a8057, event",
        "start replay,    main, 01890a5d-ac96-774b-bcce-b302099a8057, replay",
        "cancel replay,       , 01890a5d-ac96-774b-bcce-b302099a8057, replay",
        "stop_job,            , 01890a5d-ac96-774b-bcce-b302099a8057, job",
        "pause,           main, main,                                 route",
        "pause consumer,      , billing,                              consumer",
        "prune,               , log,                                  "
    })
    void eachTargetLeadsToItsPage(String action, @Nullable String route, String target, @Nullable String kind) {
        Action one =
                new Action(1, Instant.EPOCH, "ann", action, Optional.ofNullable(route), target, Optional.of("why"), 1);

        assertThat(AuditFormat.json(one).path("target_kind").textValue()).isEqualTo(kind);
    }
}
