package dev.posthorn.examples.transfers;

/**
 * Money that is to get from one to another.
 *
 * @param amount such as 100.00
 * @param payer who pays, an id and no name: events tell nothing about persons
 */
public record Transfer(String id, String tenant, String amount, String payer, String payee) {}
