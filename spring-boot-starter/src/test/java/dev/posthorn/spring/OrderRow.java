package dev.posthorn.spring;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "orders")
class OrderRow {

    @Id
    String id = "";

    OrderRow() {}

    OrderRow(String id) {
        this.id = id;
    }
}
