Feature: What every transport does

  Whoever publishes does not know who listens, and whoever listens does not know where an event came from. Between them
  stands a transport. All of them keep these promises; where a broker lacks what one is about, it is left out and the
  run says so.

  Rule: Every subscriber gets every event of the domains it asked for

    Scenario: An event reaches a subscriber
      Given a subscriber "billing" of the domain "orders"
      When 1 event of the domain "orders" is published
      Then every event is accepted
      And "billing" receives all of them

    Scenario: Nobody has to listen
      When 5 events of the domain "orders" are published although nobody listens
      Then every event is accepted

    Scenario: A batch arrives whole
      Given a subscriber "billing" of the domain "orders"
      When 300 events of the domain "orders" are published
      Then every event is accepted
      And "billing" receives all of them

    Scenario: A subscriber is left alone with other domains
      Given a subscriber "billing" of the domain "orders"
      And a subscriber "audit" of all domains
      When 3 events of the domain "orders" are published
      And 4 events of the domain "stock" are published
      Then "audit" receives 7 events
      And "billing" receives 3 events, all of the domain "orders"

    Scenario: One subscriber may ask for several domains
      Given a subscriber "ledger" of the domains "orders" and "payments"
      When 2 events of the domain "orders" are published
      And 2 events of the domain "payments" are published
      And 2 events of the domain "stock" are published
      Then "ledger" receives 4 events

    Scenario: Subscribers are independent
      Given a subscriber "display" of the domain "hand"
      And a subscriber "winnings" of the domain "hand" that always fails
      And a subscriber "table" of the domain "hand"
      When 10 events of the domain "hand" are published
      Then "display" receives all of them
      And "table" receives all of them

    Scenario: Members of one subscriber share its events
      Given a subscriber "billing" of the domain "orders"
      And another member of "billing" elsewhere
      When 200 events of the domain "orders" with 200 keys are published
      Then the members of "billing" receive all of them together

  Rule: An event arrives as it was emitted

    Scenario: Type, key and correlation survive
      Given a subscriber "billing" of the domain "orders"
      When an event of the type "order.placed" with the key "customer 1/ü" and the correlation id "request-7" is published
      Then "billing" receives exactly that event

    Scenario Outline: Payloads are bytes, not text
      Given a subscriber "billing" of the domain "orders"
      When an event with the bytes "<bytes>" is published
      Then "billing" receives exactly those bytes

      Examples:
        | bytes       |
        |             |
        | 00          |
        | 61 00 62 0A |
        | C3 28 FF FE |

  Rule: Events of one key arrive in order

    Scenario: One publisher, one key
      Given a subscriber "billing" of the domain "orders"
      When 200 events of the domain "orders" with 1 key are published
      Then "billing" receives all of them in the order of each key

    Scenario: Several publishers at once lose nothing
      Given a subscriber "billing" of the domain "orders"
      When 4 publishers publish 100 events of the domain "orders" each at once
      Then "billing" receives all of them

  Rule: What was not handled comes again

    Scenario: A handler fails and the failure is seen
      Given a subscriber "billing" of the domain "orders" that fails at the first attempt
      When 3 events of the domain "orders" with 1 key are published
      Then "billing" receives each event twice, in order, as attempts 1 and 2
      And the status of "billing" has counted 3 retries

    Scenario: What is rejected becomes a dead letter
      Given a subscriber "billing" of the domain "orders" that rejects everything
      When 2 events of the domain "orders" are published
      Then the dead letters of "billing" in the domain "orders" are those 2 events
      And "billing" receives 2 events

    Scenario: A member dies and another takes over
      Given a subscriber "billing" of the domain "orders" that never finishes
      When 5 events of the domain "orders" are published
      And "billing" has begun
      And that member dies while another one joins
      Then the other member of "billing" receives all of them

    Scenario: Garbage harms nobody
      Given a subscriber "billing" of the domain "orders"
      When bytes that are no event get among the events of the domain "orders"
      And 2 events of the domain "orders" are published
      Then "billing" receives all of them
      And the dead letters of "billing" in the domain "orders" are those bytes

  Rule: A broker may fail

    Scenario: The broker is killed and comes back
      Given a subscriber "billing" of the domain "orders"
      When 500 events of the domain "orders" with 20 keys are being published
      And the broker is killed and started again
      Then "billing" receives all of them in the order of each key

    Scenario: The broker is not there
      Given the broker is killed
      When 3 events of the domain "orders" are published
      Then every event is unavailable

    Scenario: The broker stands still for a while
      Given a subscriber "billing" of the domain "orders"
      And the broker stands still
      When 20 events of the domain "orders" with 5 keys are being published
      And the broker goes on
      Then "billing" receives all of them in the order of each key
