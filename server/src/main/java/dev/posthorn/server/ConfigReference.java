package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Json;
import java.util.TreeMap;

/** Tells what can be set, from the one list of settings. */
final class ConfigReference {

    private ConfigReference() {}

    static ObjectNode json() {
        ObjectNode json = Json.object();
        json.set(
                "settings",
                Json.array(
                        Settings.ALL,
                        setting -> Json.object()
                                .put("key", setting.path())
                                .put("variable", setting.variable())
                                .put("default", setting.standard().isEmpty() ? null : setting.standard())
                                .put("allowed", setting.form().allowed())
                                .put("about", setting.about())));
        return json;
    }

    static String markdown() {
        StringBuilder page = new StringBuilder("""
                # Configuration

                This page is printed by `./posthorn config reference`; change it there.

                `./posthorn relay --config posthorn.yaml` runs what a file says. `./posthorn config check --config posthorn.yaml`
                names every fault at once, `config print` shows every value and where it came from. A file looks like this:

                ```yaml
                database:
                  url: postgres://relay@db/shop
                transports:
                  broker:
                    address: amqp://relay@rabbit/shop
                routes:
                  orders:
                    transport: broker
                    domains: [shop, payments]
                    retry:
                      policy: exponential
                      max-attempts: 12
                  audit:
                    transport: broker
                    start: beginning
                ```

                Every key has an environment variable, so there may be no file at all: `--config /dev/null`. A variable wins
                over the file, the file over the profile, the profile over the default; `--database-url`, `--schema`, `--name`
                and `--wait` win over all. NAME in a variable is the name of a route, a transport or the like in capital
                letters, with an underscore for what is neither letter nor digit. One that the file does not have is new: small
                letters, with hyphens for underscores, or dots in names of client properties and event types. Several values
                have commas between. Times look like 500ms, 10s, 2m, 1h or 30d.

                Start as many processes with one configuration as you like: they share the lanes of each route. What differs
                between them on one host, `http.address` above all, goes into variables.

                ## Keys

                | key | variable | default | means | allowed |
                |---|---|---|---|---|
                """);
        for (Setting setting : Settings.ALL) {
            page.append("| `")
                    .append(setting.path().replace("*", "NAME"))
                    .append("` | `")
                    .append(setting.variable())
                    .append("` | ")
                    .append(setting.standard().isEmpty() ? "–" : "`" + setting.standard() + "`")
                    .append(" | ")
                    .append(setting.about())
                    .append(" | ")
                    .append(setting.form().allowed())
                    .append(" |\n");
        }
        page.append("""

                ## Profiles

                With `profile:` a relay has the defaults of a system that had an outbox of its own, and knows that system's
                variables. They win over the file, and the variables above win over them. Where no route is named, there is one
                called `main`, to a transport called `main`. `METRICS_TOKEN` is known without a profile.
                """);
        Profile.ALL.forEach(profile -> profile(page, profile));
        page.append("""

                ## Knobs we left out

                - The pace of flushes and the limits of lanes in bytes: `RelayConfig` has them for whoever embeds a relay. No load
                  that was measured wanted others.
                - Sizes of the pool: four connections for each route and three more are what the threads of a relay can use.
                - Topologies of brokers beyond the prefix: they belong to the transport's own configuration in Java.
                - Settings per relay of one process: start another process.
                """);
        return page.toString();
    }

    private static void profile(StringBuilder page, Profile profile) {
        page.append("\n### ")
                .append(profile.name())
                .append("\n\n")
                .append(profile.about())
                .append(" Defaults: ");
        page.append(String.join(
                ", ",
                new TreeMap<>(profile.defaults())
                        .entrySet().stream()
                                .map(one -> "`" + one.getKey().replace("*", "NAME") + "` " + one.getValue())
                                .toList()));
        page.append(".\n\n| variable | sets | means here |\n|---|---|---|\n");
        for (Profile.Alias alias : profile.aliases()) {
            page.append("| `")
                    .append(alias.variable())
                    .append("` | ")
                    .append(alias.path().isEmpty() ? "–" : "`" + alias.path().replace("*", "NAME") + "`")
                    .append(" | ")
                    .append(alias.means())
                    .append(" |\n");
        }
    }
}
