package dev.posthorn.spring;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The console: its page and the admin API.
 *
 * @param enabled Whether this application answers with the console. It needs the module posthorn-console.
 * @param path Where in a servlet web application it is.
 * @param address A HOST:PORT of its own in place of the path; needed where the application is no servlet web application.
 * @param dataSource The name of a data source's bean for the console alone. Left out: five connections of its own, made as those
 *     of the application are.
 * @param publicMetrics Whether a scrape of the console's metrics needs no token.
 * @param tokens The tokens that are let in, by name. If there is none, the application generates one at start and logs a link that
 *     carries it.
 */
@ConfigurationProperties("posthorn.console")
record PosthornConsoleProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("/posthorn") String path,
        @Nullable String address,
        @Nullable String dataSource,
        @DefaultValue("false") boolean publicMetrics,
        @DefaultValue Map<String, TokenProperties> tokens) {

    /**
     * A token; its name is recorded with every change.
     *
     * @param role What whoever brings it may do: metrics, viewer, operator or admin.
     * @param sha256 The hash of the token in 64 hexadecimal digits, as posthorn config token prints it.
     */
    record TokenProperties(@Nullable String role, @Nullable String sha256) {}
}
