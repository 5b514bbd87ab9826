// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.gpu.fit.Amounts;
import io.github.kueue4j.gpu.fit.PodGroup;
import io.github.kueue4j.gpu.fit.RepellingTaint;
import io.github.kueue4j.gpu.fit.Shortage;
import io.github.kueue4j.gpu.source.CapacitySource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The texts for people about the room for a workload. */
final class Wording {

  private static final List<String> NUMBERS =
      List.of("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten");

  private static final List<String> BINARY_UNITS = List.of("", "Ki", "Mi", "Gi", "Ti");

  /** How many taints a message names: those of most nodes. */
  private static final int MOST_TAINTS = 2;

  private Wording() {}

  /** Why there is no room, and for which taints nodes were passed over: a few sentences. */
  static String of(Refusal refusal, Demand demand) {
    String taints =
        refusal.taints().stream()
            .limit(MOST_TAINTS)
            .map(one -> " " + repelling(one))
            .collect(Collectors.joining());
    return shortage(refusal.shortage(), demand) + ahead(refusal.ahead()) + taints;
  }

  private static String ahead(int pods) {
    return switch (pods) {
      case 0 -> "";
      case 1 -> " Room is left to a pod without a Workload that is about to be bound.";
      default ->
          " Room is left to " + pods + " pods without a Workload that are about to be bound.";
    };
  }

  private static String repelling(RepellingTaint found) {
    return found.nodes() == 1
        ? "The node %s has the taint %s, and the pods don't tolerate it."
            .formatted(found.example(), found.taint())
        : "%d nodes have the taint %s, such as %s, and the pods don't tolerate it."
            .formatted(found.nodes(), found.taint(), found.example());
  }

  private static String shortage(Shortage shortage, Demand demand) {
    return switch (shortage) {
      case Shortage.NoSuchNode none -> noSuchNode(none.group());
      case Shortage.LargerThanAnyNode larger -> larger(larger, demand);
      case Shortage.MoreThanAllNodes more ->
          "The pod set '%s' has %d pods; the %s that may take them have room for %d, even if nothing else runs there."
              .formatted(
                  more.group().name(), more.group().count(), nodes(more.nodes()), more.pods());
      case Shortage.NoDomain none ->
          "No node has the label " + none.label() + ", whose values name the domains.";
      case Shortage.LargerThanAnyDomain larger -> noDomain(larger, demand);
      case Shortage.Fragmented fragmented -> fragmented(fragmented, demand);
      case Shortage.TooLittle little -> tooLittle(little, demand);
    };
  }

  private static String noDomain(Shortage.LargerThanAnyDomain larger, Demand demand) {
    String pods =
        larger.groups().stream()
            .map(
                group ->
                    group.count()
                        + (group.count() == 1 ? " pod of " : " pods of ")
                        + each(group, demand))
            .collect(Collectors.joining(" and "));
    String best =
        larger.best().isEmpty()
            ? "none has room for any"
            : "the best, " + larger.best() + ", has room for " + larger.pods();
    return "No domain of "
        + larger.label()
        + " has room for "
        + pods
        + (larger.forGood() ? ", even if nothing else runs there" : "")
        + "; now "
        + best
        + ".";
  }

  /** Such as {@code 4 cpu, 1 A100 GPUs}. */
  private static String each(PodGroup group, Demand demand) {
    return group.needs().requests().byName().entrySet().stream()
        .filter(one -> !one.getKey().equals(Amounts.PODS))
        .sorted(Map.Entry.comparingByKey())
        .map(one -> amount(one.getValue(), one.getKey(), group, demand))
        .collect(Collectors.joining(", "));
  }

  private static String noSuchNode(PodGroup group) {
    Optional<String> offered = CapacitySource.flavor(group.needs().constraints());
    if (offered.isPresent()) {
      return "The capacity source offers no nodes of the flavor '" + offered.get() + "'.";
    }
    String node = group.needs().constraints().node();
    if (!node.isEmpty()) {
      return "The pods of the pod set '%s' name the node %s, which isn't there or may not take them."
          .formatted(group.name(), node);
    }
    String labels =
        group.needs().constraints().selector().entrySet().stream()
            .map(label -> label.getKey() + '=' + label.getValue())
            .sorted()
            .collect(Collectors.joining(", "));
    return "No node may take the pods of the pod set '"
        + group.name()
        + "': none has the labels that they need"
        + (labels.isEmpty() ? "" : " (" + labels + ")")
        + " and only taints that they tolerate.";
  }

  private static String larger(Shortage.LargerThanAnyNode larger, Demand demand) {
    String resource = larger.resource();
    PodGroup group = larger.group();
    return "A pod of the pod set '%s' needs %s; the largest node, %s, has %s."
        .formatted(
            group.name(),
            amount(group.needs().requests().of(resource), resource, group, demand),
            larger.node(),
            amount(larger.offered(), resource, group, demand));
  }

  private static String fragmented(Shortage.Fragmented found, Demand demand) {
    PodGroup group = found.group();
    String resource = found.resource();
    long needed = group.needs().requests().of(resource);
    String free = amount(found.free(), resource, group, demand) + " free, but ";
    if (found.mostOnOne() < needed) {
      return free
          + "on "
          + nodes(found.nodes())
          + ": a pod needs "
          + number(needed, resource)
          + " on one node, and at most "
          + number(found.mostOnOne(), resource)
          + (found.mostOnOne() == 1 ? " is" : " are")
          + " free there.";
    }
    return found.lacking().isEmpty()
        ? free
            + "not where all pods of the workload fit on the nodes together"
            + (demand.isSeparated()
                ? ": some must not be together (podAntiAffinity or hostPort)."
                : ".")
        : free
            + "nodes with "
            + number(needed, resource)
            + " of them have too little "
            + found.lacking().stream().sorted().collect(Collectors.joining(" or "))
            + " left.";
  }

  private static String tooLittle(Shortage.TooLittle little, Demand demand) {
    PodGroup group = little.group();
    String resource = little.resource();
    if (!demand.resources().contains(resource)) {
      return "The nodes have no room for the pod set '%s': too little %s is free."
          .formatted(group.name(), resource);
    }
    String gpus = gpus(resource, group, demand);
    return little.free() == 0
        ? "No " + gpus + " available."
        : "Only %s of %s %s available."
            .formatted(
                number(little.free(), resource),
                number(demand.total(resource, group), resource),
                gpus);
  }

  private static String amount(long amount, String resource, PodGroup group, Demand demand) {
    String noun =
        demand.resources().contains(resource)
            ? gpus(resource, group, demand)
            : resource.equals(Amounts.PODS) ? "pods" : resource;
    return number(amount, resource) + " " + noun;
  }

  private static String number(long amount, String resource) {
    return switch (resource) {
      case "cpu" -> amount % 1000 == 0 ? Long.toString(amount / 1000) : amount + "m";
      case "memory", "ephemeral-storage" -> bytes(amount);
      default -> Long.toString(amount);
    };
  }

  /** In the largest binary unit that tells it exactly, such as {@code 8Gi}. */
  private static String bytes(long amount) {
    long left = amount;
    int unit = 0;
    while (left > 0 && left % 1024 == 0 && unit < BINARY_UNITS.size() - 1) {
      left /= 1024;
      unit++;
    }
    return left + BINARY_UNITS.get(unit);
  }

  /** For example {@code A100 GPUs}, or {@code A100 nvidia.com/mig-1g.5gb}. */
  private static String gpus(String resource, PodGroup group, Demand demand) {
    if (!resource.contains("/")) {
      return resource;
    }
    String kind = demand.kinds().getOrDefault(group.name(), "");
    String noun = resource.endsWith("/gpu") ? "GPUs" : resource;
    return kind.isEmpty() ? noun : kind + " " + noun;
  }

  private static String nodes(int count) {
    String number = count < NUMBERS.size() ? NUMBERS.get(count) : Integer.toString(count);
    return number + (count == 1 ? " node" : " nodes");
  }
}
