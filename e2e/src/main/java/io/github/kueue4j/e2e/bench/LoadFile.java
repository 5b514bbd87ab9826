// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.bench;

import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.time.GoDuration;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads a {@link Load} from YAML; unknown keys and impossible values are refused. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class LoadFile {
  /** The name under which {@link #load} knows the load that is mostly preemptions. */
  public static final String PREEMPTIONS = "preemptions";

  private LoadFile() {}

  /** The load that ships with the project: 15,000 Workloads in 30 queues of 5 cohorts. */
  public static Load baseline() {
    return shipped("baseline");
  }

  private static Load shipped(String name) {
    String resource = name + ".yaml";
    try (InputStream in =
        Objects.requireNonNull(LoadFile.class.getResourceAsStream(resource), resource)) {
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("can't read the resource " + resource, e);
    }
  }

  /**
   * Reads a file, or takes the load that ships under the name {@link #PREEMPTIONS}.
   *
   * @throws InvalidLoadException if it can't be read or used
   */
  public static Load load(Path file) {
    if (file.equals(Path.of(PREEMPTIONS))) {
      return shipped(PREEMPTIONS);
    }
    try {
      return parse(Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new InvalidLoadException(file + ": there is no such file", e);
    } catch (IOException | UncheckedIOException e) {
      throw new InvalidLoadException(file + " can't be read: " + e.getMessage(), e);
    } catch (InvalidLoadException e) {
      throw new InvalidLoadException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads a text.
   *
   * @throws InvalidLoadException if it can't be used
   */
  public static Load parse(String yaml) {
    Object tree;
    try {
      tree = new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
    } catch (YAMLException e) {
      throw new InvalidLoadException("not valid YAML: " + e.getMessage(), e);
    }
    Block root = new Block("", tree);
    Load load = new Load(root.blocks("cohorts", LoadFile::cohort));
    root.close();
    if (load.size() == 0) {
      throw new InvalidLoadException("no workloads in it; see the baseline for an example");
    }
    return load;
  }

  private static Load.CohortKind cohort(Block block) {
    return new Load.CohortKind(
        block.name("name"), block.count("count"), block.blocks("queues", LoadFile::queue));
  }

  private static Load.QueueKind queue(Block block) {
    return new Load.QueueKind(
        block.name("name"),
        block.count("count"),
        block.quantity("nominalQuota"),
        block.has("borrowingLimit") ? block.quantity("borrowingLimit") : null,
        block.oneOf("reclaimWithinCohort", "Never", "LowerPriority", "Any"),
        block.oneOf("withinClusterQueue", "Never", "LowerPriority", "LowerOrNewerEqualPriority"),
        block.blocks("workloads", LoadFile::workload));
  }

  private static Load.WorkloadKind workload(Block block) {
    return new Load.WorkloadKind(
        block.name("name"),
        block.count("count"),
        block.duration("every"),
        block.quantity("cpu"),
        block.duration("runtime"),
        block.integer("priority", 0));
  }

  /** A mapping that has to be read whole. */
  private static final class Block {
    private final String path;
    private final Map<?, ?> values;
    private final Set<String> known = new LinkedHashSet<>();

    Block(String path, @Nullable Object node) {
      if (!(node instanceof Map<?, ?> mapping)) {
        throw new InvalidLoadException(
            (path.isEmpty() ? "the file" : path) + " must be a mapping of keys to values");
      }
      this.path = path;
      this.values = mapping;
    }

    void close() {
      for (Object key : values.keySet()) {
        if (!known.contains(String.valueOf(key))) {
          throw invalid(String.valueOf(key), "is unknown; known are " + String.join(", ", known));
        }
      }
    }

    boolean has(String key) {
      known.add(key);
      return values.get(key) != null;
    }

    private Object value(String key) {
      known.add(key);
      Object value = values.get(key);
      if (value == null) {
        throw invalid(key, "is missing");
      }
      return value;
    }

    <T> List<T> blocks(String key, Function<Block, T> reader) {
      if (!(value(key) instanceof List<?> nodes)) {
        throw invalid(key, "must be a list");
      }
      List<T> read = new ArrayList<>();
      for (Object node : nodes) {
        Block block = new Block(child(key) + "[" + read.size() + "]", node);
        read.add(reader.apply(block));
        block.close();
      }
      return read;
    }

    String name(String key) {
      String name = String.valueOf(value(key));
      if (!name.matches("[a-z]([-a-z0-9]{0,20}[a-z0-9])?")) {
        throw invalid(
            key, "is \"" + name + "\"; write at most 22 lower case letters, digits and dashes");
      }
      return name;
    }

    String oneOf(String key, String... allowed) {
      if (!has(key)) {
        return allowed[0];
      }
      String text = String.valueOf(value(key));
      if (!Set.of(allowed).contains(text)) {
        throw invalid(key, "is \"" + text + "\"; choose one of " + String.join(", ", allowed));
      }
      return text;
    }

    int count(String key) {
      int count = integer(key, 1);
      if (count < 1) {
        throw invalid(key, "is " + count + "; at least 1 is needed");
      }
      return count;
    }

    int integer(String key, int fallback) {
      if (!has(key)) {
        return fallback;
      }
      if (!(value(key) instanceof Integer number)) {
        throw invalid(key, "must be a whole number");
      }
      return number;
    }

    Quantity quantity(String key) {
      try {
        return Quantity.parse(String.valueOf(value(key)));
      } catch (IllegalArgumentException e) {
        throw new InvalidLoadException(child(key) + ": " + e.getMessage(), e);
      }
    }

    Duration duration(String key) {
      try {
        return GoDuration.parse(String.valueOf(value(key)));
      } catch (IllegalArgumentException e) {
        throw new InvalidLoadException(child(key) + ": " + e.getMessage(), e);
      }
    }

    private InvalidLoadException invalid(String key, String problem) {
      return new InvalidLoadException(child(key) + " " + problem);
    }

    private String child(String key) {
      return path.isEmpty() ? key : path + "." + key;
    }
  }
}
