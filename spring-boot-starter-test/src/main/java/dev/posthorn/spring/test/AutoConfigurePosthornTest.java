package dev.posthorn.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestExecutionListeners;
import org.springframework.test.context.TestExecutionListeners.MergeMode;

/**
 * On a {@code @SpringBootTest}: the whole application, but with a database of its own on an embedded Postgres, and with a
 * transport that the test watches in place of every broker.
 *
 * <p>The test has a {@link dev.posthorn.testkit.users.PosthornBench} injected. A data source that the test or the application
 * declares as a bean is kept.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration
@TestExecutionListeners(listeners = FreshBenchListener.class, mergeMode = MergeMode.MERGE_WITH_DEFAULTS)
public @interface AutoConfigurePosthornTest {}
