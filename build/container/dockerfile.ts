/** An instruction of a Dockerfile, such as `RUN npm ci`. */
export interface Instruction {
  readonly name: string
  /** The flags before the arguments, such as `from` of `COPY --from=build`. */
  readonly flags: ReadonlyMap<string, string>
  /** What follows them, with lines joined. */
  readonly rest: string
}

/** What is built from one `FROM` on. */
export interface Stage {
  /** Of `AS`; undefined for the one that becomes the image. */
  readonly name: string | undefined
  readonly instructions: readonly Instruction[]
}

/** Reads a Dockerfile in the form that the reference defines, without heredocs and parser directives. */
export function readDockerfile(text: string): readonly Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: { name: string | undefined; instructions: Instruction[] }[] = []
  for (const line of lines) {
    const instruction = readInstruction(line)
    if (instruction.name === 'FROM') {
      stages.push({ name: / AS (\S+)$/i.exec(instruction.rest)?.[1], instructions: [] })
    } else stages.at(-1)?.instructions.push(instruction)
  }
  return stages
}

function readInstruction(line: string): Instruction {
  const [, name = '', flags = '', rest = ''] = /^(\w+)((?:\s+--\S+)*)\s+(.*)$/.exec(line) ?? []
  const pairs = [...flags.matchAll(/--([\w-]+)(?:=(\S+))?/g)]
  return {
    name: name.toUpperCase(),
    flags: new Map(pairs.map(([, flag = '', value = '']) => [flag, value])),
    rest: rest.trim(),
  }
}

/** Returns the words of an instruction that can have them as JSON: `COPY a b`, `CMD ["serve"]`. */
export function wordsOf({ rest }: Instruction): string[] {
  const words: unknown = rest.startsWith('[') ? JSON.parse(rest) : rest.split(/\s+/)
  return Array.isArray(words) ? words.map(String) : []
}
