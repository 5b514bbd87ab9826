// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import static net.bytebuddy.jar.asm.Opcodes.ALOAD;
import static net.bytebuddy.jar.asm.Opcodes.ASM9;
import static net.bytebuddy.jar.asm.Opcodes.GETSTATIC;
import static net.bytebuddy.jar.asm.Opcodes.ICONST_1;
import static net.bytebuddy.jar.asm.Opcodes.INVOKESTATIC;
import static net.bytebuddy.jar.asm.Opcodes.PUTFIELD;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandles;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.SimpleRemapper;
import org.jspecify.annotations.Nullable;

/**
 * Classes of which the JVM runs other code than was compiled, so that a seed decides what they do.
 * Those that call {@link System#nanoTime} see simulated time: the parts of the JDK that wait for a
 * limited time, Awaitility, the client library and this project. What {@code Set.of} and {@code
 * Map.of} make is iterated over in an order that depends on the seed instead of the JVM's start.
 */
final class RewrittenClasses implements ClassFileTransformer {
  /** The name of {@link Hooks} beside the JDK's own classes. */
  private static final String HOOK = "java/lang/SimulationHooks";

  /** The classes of {@code java.util.concurrent} and {@code java.lang} that wait. */
  private static final Set<String> JDK =
      Set.of(
          "java/lang/Thread",
          "java/lang/VirtualThread",
          "java/util/concurrent/CompletableFuture",
          "java/util/concurrent/CompletableFuture$Signaller",
          "java/util/concurrent/FutureTask",
          "java/util/concurrent/ScheduledThreadPoolExecutor",
          "java/util/concurrent/ScheduledThreadPoolExecutor$ScheduledFutureTask",
          "java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue",
          "java/util/concurrent/SynchronousQueue$Transferer",
          "java/util/concurrent/LinkedTransferQueue",
          "java/util/concurrent/ThreadPerTaskExecutor",
          "java/util/concurrent/AbstractExecutorService",
          "java/util/concurrent/locks/AbstractQueuedLongSynchronizer",
          "java/util/concurrent/locks/AbstractQueuedLongSynchronizer$ConditionObject",
          "java/util/concurrent/locks/AbstractQueuedSynchronizer",
          "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject");

  /** Sets and maps whose iteration order depends on {@link #ORDER_FIELDS}. */
  private static final String COLLECTIONS = "java/util/ImmutableCollections";

  /** Set once in a JVM, by its time of start; and the method of {@link Hooks} for each. */
  private static final Map<String, String> ORDER_FIELDS =
      Map.of("SALT32L", "salt", "REVERSE", "reverse");

  private static final List<String> OTHERS =
      List.of("io/github/kueue4j/", "io/kubernetes/client/", "org/awaitility/");

  private static final String SIMULATION = "io/github/kueue4j/simulation/";

  private RewrittenClasses() {}

  /**
   * Installs it for the whole JVM.
   *
   * @param time of a virtual thread
   * @param salt of a virtual thread, at least 0; -1 for that of the JVM
   */
  static void install(ToLongFunction<Thread> time, ToLongFunction<Thread> salt) {
    Instrumentation instrumentation = ByteBuddyAgent.install();
    try {
      Class<?> hook = hook();
      hook.getField("timeOfVirtualThread").set(null, time);
      hook.getField("saltOfVirtualThread").set(null, salt);
      RewrittenClasses transformer = new RewrittenClasses();
      // Once without effect: a transformer must not need a class that is about to be loaded.
      rewritten(bytesOf('/' + Type.getInternalName(Hooks.class) + ".class"));
      instrumentation.addTransformer(transformer, true);
      List<Class<?>> loaded = new ArrayList<>();
      for (Class<?> type : instrumentation.getAllLoadedClasses()) {
        if (!type.isArray() && !type.isHidden() && rewrites(type.getName().replace('.', '/'))) {
          loaded.add(type);
        }
      }
      retransform(instrumentation, loaded);
    } catch (IOException e) {
      throw new UncheckedIOException("the hooks of simulations could not be read", e);
    } catch (ReflectiveOperationException | UnmodifiableClassException e) {
      throw VirtualThreads.unsuited(e);
    }
  }

  /**
   * Transforms classes that are loaded. A class whose initialization has failed can't be, by which
   * the JVM refuses all that come with it; no code calls it, so it is left as it is.
   */
  static void retransform(Instrumentation instrumentation, List<Class<?>> loaded)
      throws UnmodifiableClassException {
    try {
      instrumentation.retransformClasses(loaded.toArray(Class<?>[]::new));
    } catch (InternalError e) {
      if (!String.valueOf(e.getMessage()).endsWith("invalid class")) {
        throw e;
      }
      int half = loaded.size() / 2;
      if (half > 0) {
        retransform(instrumentation, loaded.subList(0, half));
        retransform(instrumentation, loaded.subList(half, loaded.size()));
      }
    }
  }

  /** The class that the JDK's classes are to call, as one of theirs. */
  private static Class<?> hook() throws IOException, IllegalAccessException {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(bytesOf('/' + Type.getInternalName(Hooks.class) + ".class"))
        .accept(
            new ClassRemapper(
                writer, new SimpleRemapper(ASM9, Type.getInternalName(Hooks.class), HOOK)),
            0);
    return MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup())
        .defineClass(writer.toByteArray());
  }

  private static byte[] bytesOf(String resource) throws IOException {
    try (InputStream bytes = RewrittenClasses.class.getResourceAsStream(resource)) {
      if (bytes == null) {
        throw new IOException(resource + " is not on the class path");
      }
      return bytes.readAllBytes();
    }
  }

  private static boolean rewrites(String type) {
    if (JDK.contains(type) || type.startsWith(COLLECTIONS)) {
      return true;
    }
    // A loop: a lambda would be one more class that is loaded for each class that is.
    for (String prefix : OTHERS) {
      if (type.startsWith(prefix)) {
        return !type.startsWith(SIMULATION);
      }
    }
    return false;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    return name == null || !rewrites(name) ? null : rewritten(bytes);
  }

  private static byte[] rewritten(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new Calls(writer), 0);
    return writer.toByteArray();
  }

  /** Replaces the calls of a class. */
  private static final class Calls extends ClassVisitor {
    Calls(ClassVisitor next) {
      super(ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      boolean takesOffList = name.equals("compareAndSetOnWaitingList");
      return new MethodVisitor(
          ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
        @Override
        public void visitCode() {
          super.visitCode();
          if (takesOffList) {
            // What VirtualThread.unblock does a moment later: there must be no moment in which
            // a thread that has got a monitor looks like one that waits for it.
            super.visitVarInsn(ALOAD, 0);
            super.visitInsn(ICONST_1);
            super.visitFieldInsn(PUTFIELD, "java/lang/VirtualThread", "blockPermit", "Z");
          }
        }

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String type, boolean ofInterface) {
          if (isNanoTime(owner, called)) {
            super.visitMethodInsn(opcode, HOOK, "now", type, false);
          } else {
            super.visitMethodInsn(opcode, owner, called, type, ofInterface);
          }
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String type) {
          super.visitFieldInsn(opcode, owner, field, type);
          String hooked = ORDER_FIELDS.get(field);
          if (opcode == GETSTATIC && owner.equals(COLLECTIONS) && hooked != null) {
            super.visitMethodInsn(INVOKESTATIC, HOOK, hooked, '(' + type + ')' + type, false);
          }
        }

        @Override
        public void visitInvokeDynamicInsn(
            String called, String type, Handle bootstrap, Object... arguments) {
          super.visitInvokeDynamicInsn(called, type, bootstrap, replaced(arguments));
        }
      };
    }

    /** For {@code System::nanoTime}. */
    private static Object[] replaced(Object[] arguments) {
      Object[] replaced = arguments.clone();
      for (int i = 0; i < arguments.length; i++) {
        if (arguments[i] instanceof Handle handle
            && isNanoTime(handle.getOwner(), handle.getName())) {
          replaced[i] = new Handle(handle.getTag(), HOOK, "now", handle.getDesc(), false);
        }
      }
      return replaced;
    }

    private static boolean isNanoTime(String owner, String method) {
      return owner.equals("java/lang/System") && method.equals("nanoTime");
    }
  }
}
