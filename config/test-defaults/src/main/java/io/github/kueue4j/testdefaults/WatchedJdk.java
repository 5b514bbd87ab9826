// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import static net.bytebuddy.jar.asm.Opcodes.ACC_PUBLIC;
import static net.bytebuddy.jar.asm.Opcodes.ACC_STATIC;
import static net.bytebuddy.jar.asm.Opcodes.ALOAD;
import static net.bytebuddy.jar.asm.Opcodes.ARETURN;
import static net.bytebuddy.jar.asm.Opcodes.ASM9;
import static net.bytebuddy.jar.asm.Opcodes.DUP;
import static net.bytebuddy.jar.asm.Opcodes.GETSTATIC;
import static net.bytebuddy.jar.asm.Opcodes.INVOKEINTERFACE;
import static net.bytebuddy.jar.asm.Opcodes.INVOKESTATIC;
import static net.bytebuddy.jar.asm.Opcodes.RETURN;
import static net.bytebuddy.jar.asm.Opcodes.V17;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandles;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's methods that start threads and processes, open ports and make temporary files, which
 * tell what they make. Rewritten by ASM alone: Byte Buddy above it has 900 classes to load, which
 * took each JVM of tests most of a second.
 */
final class WatchedJdk implements ClassFileTransformer {
  /** Beside the JDK's classes, which can't see those of tests. */
  private static final String HOOK = "java/lang/WatchedByTests";

  private static final String CONSUMER = "java/util/function/Consumer";

  /**
   * A method of which any overload may have been called.
   *
   * @param parameters how many it has; -1 for any number
   * @param tells the object that it is called on, before it does anything, or what it returns
   */
  private record Watched(String name, int parameters, Tells tells) {
    boolean is(String called, String descriptor) {
      return called.equals(name)
          && (parameters < 0 || Type.getArgumentTypes(descriptor).length == parameters);
    }
  }

  private enum Tells {
    ITSELF,
    ITS_RESULT
  }

  private static final Map<String, Watched> METHODS =
      Map.of(
          "java/lang/Thread", new Watched("start", -1, Tells.ITSELF),
          "java/lang/VirtualThread", new Watched("start", -1, Tells.ITSELF),
          "java/net/ServerSocket", new Watched("bind", 2, Tells.ITSELF),
          "sun/nio/ch/ServerSocketChannelImpl", new Watched("bind", 2, Tells.ITSELF),
          "java/nio/file/TempFileHelper", new Watched("create", 5, Tells.ITS_RESULT),
          "java/lang/ProcessBuilder", new Watched("start", 1, Tells.ITS_RESULT));

  private final Set<String> watched = ConcurrentHashMap.newKeySet();

  private WatchedJdk() {}

  /**
   * Has them tell, from now on, in the thread that makes something.
   *
   * @throws IllegalStateException if one of them can't be rewritten
   */
  static void tell(Consumer<Object> listener) {
    Instrumentation instrumentation = ByteBuddyAgent.install();
    WatchedJdk transformer = new WatchedJdk();
    try {
      hook(instrumentation).getField("listener").set(null, listener);
      Class<?>[] types = new Class<?>[METHODS.size()];
      int next = 0;
      for (String name : METHODS.keySet()) {
        types[next++] = Class.forName(name.replace('/', '.'));
      }
      instrumentation.addTransformer(transformer, true);
      instrumentation.retransformClasses(types);
    } catch (ReflectiveOperationException | UnmodifiableClassException e) {
      throw new IllegalStateException("this JDK's classes can't be rewritten", e);
    }
    if (!transformer.watched.equals(METHODS.keySet())) {
      throw new IllegalStateException("of this JDK, only these tell: " + transformer.watched);
    }
  }

  /** The class that the rewritten methods call, with the static field {@code listener}. */
  private static Class<?> hook(Instrumentation instrumentation) throws IllegalAccessException {
    instrumentation.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of(),
        Map.of("java.lang", Set.of(WatchedJdk.class.getModule())),
        Set.of(),
        Map.of());
    ClassWriter hook = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    hook.visit(V17, ACC_PUBLIC, HOOK, null, "java/lang/Object", null);
    hook.visitField(ACC_PUBLIC | ACC_STATIC, "listener", 'L' + CONSUMER + ';', null, null);
    MethodVisitor made =
        hook.visitMethod(ACC_PUBLIC | ACC_STATIC, "made", "(Ljava/lang/Object;)V", null, null);
    made.visitCode();
    made.visitFieldInsn(GETSTATIC, HOOK, "listener", 'L' + CONSUMER + ';');
    made.visitVarInsn(ALOAD, 0);
    made.visitMethodInsn(INVOKEINTERFACE, CONSUMER, "accept", "(Ljava/lang/Object;)V", true);
    made.visitInsn(RETURN);
    made.visitMaxs(0, 0);
    return MethodHandles.privateLookupIn(Object.class, MethodHandles.lookup())
        .defineClass(hook.toByteArray());
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    Watched method = name == null || loader != null ? null : METHODS.get(name);
    if (name == null || method == null) {
      return null;
    }
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new Calls(writer, name, method), 0);
    return writer.toByteArray();
  }

  /** Adds the calls of the hook to a class. */
  private final class Calls extends ClassVisitor {
    private final String type;
    private final Watched method;

    Calls(ClassVisitor next, String type, Watched method) {
      super(ASM9, next);
      this.type = type;
      this.method = method;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      if (!method.is(name, descriptor)) {
        return next;
      }
      return new MethodVisitor(ASM9, next) {
        @Override
        public void visitCode() {
          super.visitCode();
          watched.add(type);
          if (method.tells() == Tells.ITSELF) {
            super.visitVarInsn(ALOAD, 0);
            callHook();
          }
        }

        @Override
        public void visitInsn(int opcode) {
          if (opcode == ARETURN && method.tells() == Tells.ITS_RESULT) {
            super.visitInsn(DUP);
            callHook();
          }
          super.visitInsn(opcode);
        }

        private void callHook() {
          super.visitMethodInsn(INVOKESTATIC, HOOK, "made", "(Ljava/lang/Object;)V", false);
        }
      };
    }
  }
}
