// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.cli.terminal.Rows;
import io.github.kueue4j.cli.terminal.Table;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.informer.Informer;
import io.kubernetes.client.common.KubernetesObject;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Prints objects as tables, and rows that change. */
final class ListedRows implements AutoCloseable {
  private static final String DELETED = "deleted: ";

  private final PrintWriter out;
  private final WatchedObjects objects;
  private final Interruption interruption = Interruption.listen();
  private final List<Watched<?>> watched = new ArrayList<>();
  // Guarded by this object's monitor.
  private boolean printedOne;
  private boolean live;

  ListedRows(ClusterConnection connection, PrintWriter out) {
    this.out = out;
    this.objects = new WatchedObjects(connection);
  }

  /** Prints a table, ordered by namespace and name; an empty line separates it from another. */
  synchronized <T extends KubernetesObject> Table print(List<T> objects, Rows<T> rows) {
    if (printedOne) {
      out.println();
    }
    printedOne = true;
    Table table = new Table(rows.header());
    table
        .lines(objects.stream().sorted(Comparator.comparing(ObjectKey::of)).map(rows::row).toList())
        .forEach(out::println);
    out.flush();
    return table;
  }

  /** The objects of a kind, kept up to date. */
  <T extends KubernetesObject> Informer<T> informer(ResourceType<T> type, String namespace) {
    return objects.of(type, namespace);
  }

  /** Prints these objects, and later the rows of those that change. */
  <T extends KubernetesObject> void watch(
      Informer<T> informer, Supplier<? extends Rows<T>> rows, Predicate<T> wanted) {
    Watched<T> table = new Watched<>(informer, rows, wanted);
    watched.add(table);
    informer.onChange(table::changed);
  }

  /**
   * Prints what is watched until Ctrl-C, or until the reader of the output has gone.
   *
   * @throws UserError if the server doesn't let the objects be watched
   */
  void untilInterrupted() throws InterruptedException {
    objects.start();
    synchronized (this) {
      watched.forEach(Watched::begin);
      live = true;
    }
    interruption.await();
  }

  @Override
  public void close() {
    objects.close();
    interruption.close();
  }

  /** A table whose rows change. */
  private final class Watched<T extends KubernetesObject> {
    private final Informer<T> informer;
    private final Supplier<? extends Rows<T>> rows;
    private final Predicate<T> wanted;
    private Table table;

    Watched(Informer<T> informer, Supplier<? extends Rows<T>> rows, Predicate<T> wanted) {
      this.informer = informer;
      this.rows = rows;
      this.wanted = wanted;
      this.table = new Table(rows.get().header());
    }

    void begin() {
      table = print(informer.list().stream().filter(wanted).toList(), rows.get());
    }

    /** Prints the row of an object whose row was another before, at the same time. */
    void changed(Change<T> change) {
      synchronized (ListedRows.this) {
        if (!live || change.states().stream().noneMatch(wanted)) {
          return;
        }
        Rows<T> now = rows.get();
        List<List<String>> states = change.states().stream().map(now::row).distinct().toList();
        if (change instanceof Change.Updated<T> && states.size() == 1) {
          return;
        }
        String mark = change instanceof Change.Deleted<T> ? DELETED : "";
        table.more(List.of(states.getLast())).forEach(line -> out.println(mark + line));
        if (out.checkError()) {
          interruption.ask("nothing reads the output any more");
        }
      }
    }
  }
}
