package dev.posthorn.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DatabaseUrlTest {

    @Test
    void aJdbcUrlStaysAsItIs() {
        assertThat(DatabaseUrl.toJdbc("jdbc:postgresql:mine")).isEqualTo("jdbc:postgresql:mine");
    }

    @Test
    void userAndPasswordBecomeParameters() {
        assertThat(DatabaseUrl.toJdbc("postgres://me:a%26b@db.example:5433/shop?sslmode=require"))
                .isEqualTo("jdbc:postgresql://db.example:5433/shop?user=me&password=a%26b&sslmode=require");
    }

    @Test
    void aParameterIsEnough() {
        assertThat(DatabaseUrl.toJdbc("postgresql://localhost/shop?user=me"))
                .isEqualTo("jdbc:postgresql://localhost/shop?user=me");
    }

    @Test
    void anUnreadableUrlDoesNotShowItsPassword() {
        assertThatThrownBy(() -> DatabaseUrl.toJdbc("postgresql://me:sec ret@host/db"))
                .isInstanceOf(CannotRunException.class)
                .hasMessageNotContaining("sec");
    }
}
