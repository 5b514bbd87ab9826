package com.example.seats;

import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import java.time.Duration;
import java.util.function.IntSupplier;

/** Lets a Workload start while there are free seats. */
final class SeatCheck {
  static final String CONTROLLER_NAME = "example.com/seats";

  private SeatCheck() {}

  static CheckController controller(CheckEnvironment environment, IntSupplier freeSeats) {
    return CheckController.builder(CONTROLLER_NAME, environment)
        .check(
            evaluation ->
                freeSeats.getAsInt() > 0
                    ? Verdict.ready("There is a seat.")
                    : Verdict.retry(
                        Reason.of("Full"), "No seat.", Delay.exactly(Duration.ofMinutes(10))))
        .build();
  }
}
