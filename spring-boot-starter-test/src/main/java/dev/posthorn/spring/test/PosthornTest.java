package dev.posthorn.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A slice: the data source, transactions, JSON and Posthorn, and of the application only the components with handlers of events;
 * what they need beside that is imported by the test.
 *
 * <p>The database is one of its own on an embedded Postgres, and a transport that the test watches stands in place of every broker.
 * The test has a {@link dev.posthorn.testkit.users.PosthornBench} injected. It must not be {@code @Transactional}: what never
 * commits is never published.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@BootstrapWith(PosthornTestBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(HandlersOnlyFilter.class)
@AutoConfigurePosthornTest
@ImportAutoConfiguration
public @interface PosthornTest {

    /** Properties in the form key=value. */
    String[] properties() default {};

    /** Whether only components with handlers are found; if not, only the filters decide. */
    boolean useDefaultFilters() default true;

    /** Components that are found too. */
    Filter[] includeFilters() default {};

    /** Components that are not found. */
    Filter[] excludeFilters() default {};

    /** Auto-configurations of the slice that are left out. */
    @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
    Class<?>[] excludeAutoConfiguration() default {};
}
