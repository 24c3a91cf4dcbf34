package dev.posthorn.commands;

import dev.posthorn.event.PosthornException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Who runs which type of command. Immutable. A type has one handler, for a command is not told to many.
 *
 * @param <T> what steps work in
 */
public final class CommandHandlers<T> {

    record Named<T>(String name, CommandHandler<T> handler) {}

    private final Map<String, Named<T>> byType;

    private CommandHandlers(Map<String, Named<T>> byType) {
        this.byType = Map.copyOf(byType);
    }

    public static <T> CommandHandlers<T> none() {
        return new CommandHandlers<>(Map.of());
    }

    /** Also commands of this type, by this handler. Its name is stable: what was run is known by that. */
    public CommandHandlers<T> on(String type, String name, CommandHandler<T> handler) {
        if (name.isBlank()) {
            throw new PosthornException("The handler of commands of type \"" + type + "\" has no name. Give it one.");
        }
        if (byType.containsKey(type)) {
            throw new PosthornException("There are two handlers of commands of type \"" + type + "\". Keep one.");
        }
        Map<String, Named<T>> more = new TreeMap<>(byType);
        more.put(type, new Named<>(name, handler));
        return new CommandHandlers<>(more);
    }

    /** Which types it knows, and the name of the handler of each. */
    public Map<String, String> namesByType() {
        return byType.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> entry.getValue().name()));
    }

    Optional<Named<T>> of(Command command) {
        return Optional.ofNullable(byType.get(command.type()));
    }

    Set<String> names() {
        return byType.values().stream().map(Named::name).collect(Collectors.toUnmodifiableSet());
    }
}
