// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Prints, when a class of tests ends, what it has logged that is worth it: of a class that failed
 * everything, of others what no {@link ExpectedLog} and no {@link PossibleLog} covers.
 */
@API(status = API.Status.INTERNAL)
public final class LogReports implements TestExecutionListener {
  private static final Map<String, ClassLog> RUNNING = new ConcurrentHashMap<>();
  private static final Set<String> CLASS = Set.of("class", "class-template");

  static {
    AtExit.run("logs of tests", () -> RUNNING.values().forEach(ClassLog::breakOff));
  }

  /** Called by the service loader. */
  public LogReports() {}

  /** A class may have tests of several engines, which run at the same time. */
  static void begin(String engine, TestOwner owner) {
    RUNNING.put(key(engine, owner.className()), owner.log());
  }

  private static String key(String engine, String className) {
    return engine + '/' + className;
  }

  /** False if no class that runs has declared such a record. */
  static boolean addWhereDeclared(LogEntry entry) {
    List<ClassLog> declared = RUNNING.values().stream().filter(log -> log.declares(entry)).toList();
    declared.forEach(log -> log.add(entry));
    return !declared.isEmpty();
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    UniqueId id = test.getUniqueIdObject();
    Optional<String> className =
        id.getSegments().stream()
            .filter(segment -> CLASS.contains(segment.getType()))
            .map(UniqueId.Segment::getValue)
            .findFirst();
    if (className.isEmpty()) {
      return; // Of another engine, or the engine itself.
    }
    String key = key(id.getEngineId().orElse(""), className.get());
    ClassLog log = RUNNING.get(key);
    if (log != null && result.getStatus() == TestExecutionResult.Status.FAILED) {
      log.failed();
    }
    if (log != null && CLASS.contains(id.getLastSegment().getType())) {
      RUNNING.remove(key);
      LogCapture.restoreAfter(className.get());
      log.end();
    }
  }
}
