package dev.posthorn.systemtests;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Optional;

/** Which package stands on which floor. A class knows its own package and the floors below; the top knows everything. */
final class Layers {

    private static final String ROOT = "dev.posthorn.";

    /** By the first word after the root, from the ground up. */
    private static final List<List<String>> FLOORS = List.of(
            List.of("event"),
            List.of("outbox", "transport", "deadletter", "archive"),
            List.of("relay", "inbox", "replay", "commands", "codecs", "registry", "privacy"),
            List.of("claimcheck"),
            List.of(
                    "postgres",
                    "transports",
                    "inboxes",
                    "payloadstores",
                    "embeddedpostgres",
                    "embeddedbrokers",
                    "encryption",
                    "tracing"),
            List.of("operations"),
            List.of("console"),
            List.of("examples", "demo", "benchmarks", "server", "spring", "testkit"));

    private static final int TOP = FLOORS.size() - 1;

    private Layers() {}

    static ArchCondition<JavaClass> pointDown() {
        return new ArchCondition<>("depend on lower layers only") {
            @Override
            public void check(JavaClass item, ConditionEvents events) {
                if (floorOf(item).isEmpty()) {
                    events.add(SimpleConditionEvent.violated(
                            item, item.getName() + " has no layer: give its package one in Layers"));
                }
                for (Dependency dependency : item.getDirectDependenciesFromSelf()) {
                    if (!allowed(item, dependency.getTargetClass())) {
                        events.add(SimpleConditionEvent.violated(item, dependency.getDescription()));
                    }
                }
            }
        };
    }

    private static boolean allowed(JavaClass from, JavaClass to) {
        JavaClass target = to.getBaseComponentType();
        if (!target.getPackageName().startsWith(ROOT) || target.getPackageName().equals(from.getPackageName())) {
            return true;
        }
        int floor = floorOf(from).orElse(0);
        return floor == TOP || floorOf(target).orElse(TOP) < floor;
    }

    private static Optional<Integer> floorOf(JavaClass item) {
        String name = item.getPackageName();
        String word = name.startsWith(ROOT) ? name.substring(ROOT.length()).split("\\.", 2)[0] : name;
        return FLOORS.stream()
                .filter(floor -> floor.contains(word))
                .map(FLOORS::indexOf)
                .findFirst();
    }
}
