package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgres://ann:s%40cret@db.example:6432/orders?sslmode=require",
                "postgresql://ann:s%40cret@db.example:6432/orders?sslmode=require",
                "jdbc:postgresql://db.example:6432/orders?user=ann&password=s%40cret&sslmode=require",
                "host=db.example port=6432 dbname=orders user=ann password=s@cret sslmode=require",
                " user = 'ann' password='s\\@cret'  host='db.example'  port=6432 dbname=orders sslmode=require "
            })
    void everyFormMeansTheSame(String text) {
        DatabaseUrl url = DatabaseUrl.parse(text);

        assertThat(url.jdbcUrl()).isEqualTo("jdbc:postgresql://db.example:6432/orders?sslmode=require");
        assertThat(url).hasToString("db.example:6432/orders");
        Properties properties = url.properties(Map.of());
        assertThat(properties).containsEntry("user", "ann").containsEntry("password", "s@cret");
    }

    @Test
    void wordsOfLibpqThatCanNotBeReadAreRefusedWithoutShowingThem() {
        assertThatThrownBy(() -> DatabaseUrl.parse("host=db password='s3cret user=ann"))
                .hasMessageContaining("from character 18")
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> DatabaseUrl.parse("host=/var/run/postgresql dbname=x"))
                .hasMessageContaining("Unix socket");
        assertThat(DatabaseUrl.parse("host=a,b port=1,2 dbname=x").place()).isEqualTo("a:1,b:2");
    }

    @Test
    void severalHostsAndAnIpv6AddressAreKept() {
        assertThat(DatabaseUrl.parse("postgres://a,[::1]:7000/db").place()).isEqualTo("a:5432,[::1]:7000");
    }

    @Test
    void whatTheUrlLeavesOutHasItsUsualDefault() {
        assertThat(DatabaseUrl.parse("postgres:///")).hasToString("localhost:5432/postgres");
        assertThat(DatabaseUrl.parse("postgres://ann@h")).hasToString("h:5432/ann");
    }

    @Test
    void whatTheUrlSetsIsNotSetAgain() {
        DatabaseUrl url = DatabaseUrl.parse("postgres://h/db?application_name=mine");

        Properties properties = url.properties(Map.of("ApplicationName", "posthorn", "tcpKeepAlive", "true"));

        assertThat(properties).containsOnly(Map.entry("tcpKeepAlive", "true"));
        assertThat(url.jdbcUrl()).endsWith("?ApplicationName=mine");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mysql://ann:s3cret@h/db",
                "postgres://ann:s3cret@h:port/db",
                "postgres://ann:s3c%ret@h/db",
                "postgres//ann:s3cret@h/db",
                "jdbc:postgres://h/db?user=ann&password=s3cret"
            })
    void whatIsNoUrlIsRefusedWithoutShowingThePassword(String text) {
        assertThatThrownBy(() -> DatabaseUrl.parse(text))
                .hasMessageContaining("is not the URL of a Postgres database")
                .hasMessageNotContaining("s3c")
                .hasMessageContaining("postgres://user:password@host");
    }
}
