package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Endpoint.Manual;
import dev.posthorn.postgres.DeadEntry;
import dev.posthorn.postgres.PostgresAudit;
import dev.posthorn.postgres.PostgresAudit.Action;
import dev.posthorn.postgres.PostgresConsumerDesk;
import dev.posthorn.postgres.PostgresDeadDesk;
import dev.posthorn.postgres.PostgresDoctor;
import dev.posthorn.postgres.PostgresInspection;
import dev.posthorn.postgres.PostgresReplayDesk;
import dev.posthorn.postgres.PostgresRoutes;
import dev.posthorn.postgres.WholeDeadLetter;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** What there is, to be looked at: the same objects that the command line prints with {@code --json}. */
final class ReadEndpoints {

    private static final int PAGE = 50;
    private static final int GROUPS = 100;

    private final ConsoleSetup setup;
    private final Live live;

    ReadEndpoints(ConsoleSetup setup, Live live) {
        this.setup = setup;
        this.live = live;
    }

    List<Endpoint> all() {
        return Stream.of(standing(), dead(), records(), new EventEndpoints(setup, live).all())
                .flatMap(List::stream)
                .toList();
    }

    private List<Endpoint> standing() {
        return List.of(
                read(
                        "/v1/status",
                        "How the routes stand: lanes, owners, what waits, which keys are blocked.",
                        "Status",
                        (desk, call) -> StatusFormat.json(StatusFindings.look(desk.database(), desk.schema()))),
                read(
                        "/v1/routes",
                        "Every route: what it wants, where it began, and how it stands.",
                        "Routes",
                        (desk, call) -> routes(desk)),
                read(
                        "/v1/relays",
                        "Every relay of every route.",
                        "Relays",
                        (desk, call) -> StatusFormat.relays(inspection(desk).relays())),
                read(
                        "/v1/lanes",
                        "Every lane of every route: its owner, its epoch, and what waits in it.",
                        "Lanes",
                        (desk, call) -> StatusFormat.lanes(inspection(desk).lanes())),
                read(
                        "/v1/consumers",
                        "Every consumer and how each of its members is.",
                        "Consumers",
                        (desk, call) ->
                                ConsumersFormat.list(new PostgresConsumerDesk(desk.database(), desk.schema()).list())),
                read(
                        "/v1/doctor",
                        "What a look at the database finds wrong, and what to do.",
                        "Doctor",
                        (desk, call) -> DoctorFormat.json(setup.facts()
                                .doctor()
                                .apply(new PostgresDoctor(desk.database(), desk.schema()))
                                .examine())));
    }

    private List<Endpoint> dead() {
        String[] filters = DeadQuery.NAMES.toArray(String[]::new);
        return List.of(
                Endpoint.get(
                        "/v1/dead",
                        Right.READ,
                        Manual.of(
                                "What is dead, oldest first.",
                                "DeadLetters",
                                Stream.concat(Stream.of(filters), Stream.of("after", "limit"))
                                        .toArray(String[]::new)),
                        call -> Answer.json(deadPage(live.desk(), call))),
                Endpoint.get(
                        "/v1/dead/groups",
                        Right.READ,
                        Manual.of(
                                "What is dead by the kind of its reason, the most frequent first.",
                                "DeadGroups",
                                Stream.concat(Stream.of(filters), Stream.of("limit"))
                                        .toArray(String[]::new)),
                        call -> Answer.json(DeadFormat.groups(
                                deadDesk(live.desk()).groups(DeadQuery.filter(call::wish), call.limit(GROUPS))))),
                read(
                        "/v1/dead/{id}",
                        "A dead letter with what to do. Headers and the first 64 KiB of the body are shown to operators.",
                        "WholeDeadLetters",
                        this::deadLetter),
                Endpoint.get(
                        "/v1/dead/{id}/body",
                        Right.PAYLOADS,
                        Manual.of("The whole body of a consumer's dead letter, as a file.", Endpoint.DOWNLOAD),
                        this::deadBody));
    }

    private List<Endpoint> records() {
        return List.of(
                read(
                        "/v1/replays",
                        "Replays with their progress, the newest first.",
                        "Replays",
                        (desk, call) -> ReplayFormat.list(replays(desk).list())),
                read(
                        "/v1/replays/{id}",
                        "One replay.",
                        "Replay",
                        (desk, call) -> ReplayFormat.one(ReplayChanges.known(replays(desk), call.id("id")))),
                Endpoint.get(
                        "/v1/audit",
                        Right.READ,
                        Manual.of("What operators did, the last first.", "Audit", "who", "action", "before", "limit"),
                        call -> Answer.json(audit(live.desk(), call))));
    }

    /** Looks at the database. */
    private interface Look {
        ObjectNode look(Desk desk, Call call);
    }

    private Endpoint read(String path, String summary, String answer, Look look) {
        return Endpoint.get(
                path, Right.READ, Manual.of(summary, answer), call -> Answer.json(look.look(live.desk(), call)));
    }

    private ObjectNode routes(Desk desk) {
        ObjectNode json = RoutesFormat.list(new PostgresRoutes(desk.database(), desk.schema()).list());
        Standing standing = live.standing();
        json.withArray("routes")
                .forEach(route -> Overview.figures(
                        (ObjectNode) route, standing, route.path("name").asText(), live.health()));
        return json;
    }

    private static ObjectNode deadPage(Desk desk, Call call) {
        int most = call.limit(PAGE);
        List<DeadEntry> found =
                deadDesk(desk).list(DeadQuery.filter(call::wish), DeadQuery.after(call.wish("after")), most);
        ObjectNode json = Json.object();
        json.set("dead", Json.array(found, DeadFormat::entry));
        return json.put("next", found.size() < most ? null : DeadQuery.cursor(found.get(most - 1)));
    }

    private ObjectNode deadLetter(Desk desk, Call call) {
        UUID id = call.id("id");
        List<WholeDeadLetter> found = deadDesk(desk).show(id, DeadFormat.PREVIEW);
        if (found.isEmpty()) {
            throw Refusal.missing("There is no dead letter and no dead event " + id
                    + "; it may have been published since, or pruned. See: posthorn dead list");
        }
        return call.may(Right.PAYLOADS)
                ? DeadFormat.whole(found, call.disclosure(setup.facts().disclosure()))
                : DeadFormat.redacted(found);
    }

    private Answer deadBody(Call call) {
        UUID id = call.id("id");
        return Downloads.of(call, setup, id + ".body", deadDesk(live.desk()).body(id));
    }

    private static ObjectNode audit(Desk desk, Call call) {
        int most = call.limit(PAGE);
        List<Action> found = new PostgresAudit(desk.database(), desk.schema())
                .newest(
                        call.wish("who"),
                        call.wish("action"),
                        call.number("before", PostgresAudit.END, 1, PostgresAudit.END),
                        most);
        ObjectNode json = Json.object();
        json.set("actions", Json.array(found, AuditFormat::json));
        Optional<String> next = found.size() < most
                ? Optional.empty()
                : Optional.of(Long.toString(found.get(most - 1).id()));
        return json.put("next", next.orElse(null));
    }

    private static PostgresInspection inspection(Desk desk) {
        return new PostgresInspection(desk.database(), desk.schema());
    }

    private static PostgresDeadDesk deadDesk(Desk desk) {
        return new PostgresDeadDesk(desk.database(), desk.schema());
    }

    private static PostgresReplayDesk replays(Desk desk) {
        return new PostgresReplayDesk(desk.database(), desk.schema());
    }
}
