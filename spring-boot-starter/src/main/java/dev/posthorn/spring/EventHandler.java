package dev.posthorn.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that handles events, each once, in a transaction of Spring's that also marks the event in the inbox.
 *
 * <p>What it does through a {@code JdbcTemplate}, an {@code EntityManager}, jOOQ or {@link SpringOutbox} is kept together with
 * the mark, or not at all.
 *
 * <p>Parameters, in any order and all optional: {@link dev.posthorn.event.Event}, {@link java.sql.Connection} (of the
 * transaction), and one more, which is the payload: {@code byte[]}, {@code String}, or any class that the codec reads.
 *
 * <p>It returns nothing, which is done, or a {@link dev.posthorn.transport.Verdict}. A throw is a retry by the consumer's
 * policy. A payload that can not be read is a dead letter at once.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface EventHandler {

    /** Whose handler it is. Stable: the inbox and the broker know the consumer by that. Placeholders are resolved. */
    String consumer();

    /** Events of these types; none: of all that come. */
    String[] types() default {};

    /**
     * Its name among the handlers of the consumer; the method's if none is given. Stable: the inbox knows the handler by
     * that, and under another name it handles again what still comes.
     */
    String name() default "";
}
