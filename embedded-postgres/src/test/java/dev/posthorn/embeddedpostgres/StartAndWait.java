package dev.posthorn.embeddedpostgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;

/** A program that starts a server, says so, and never closes it. */
final class StartAndWait {

    private StartAndWait() {}

    public static void main(String[] args) throws Exception {
        EmbeddedPostgres postgres = EmbeddedPostgres.builder().unsafeFast().start();
        try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
                ResultSet result = connection.createStatement().executeQuery("SELECT 1")) {
            result.next();
        }
        System.out.println(postgres.pid() + " " + postgres.dataDirectory());
        Thread.sleep(Long.MAX_VALUE);
    }
}
