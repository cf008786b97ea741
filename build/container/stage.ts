import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { type Instruction, wordsOf } from './dockerfile.ts'

/** What a stage is made from. */
export interface StageSources {
  /** The folder of the build context, and the files in it that the image may have. */
  readonly context: string
  readonly files: readonly string[]
  /** The folders of the stages before, by name. */
  readonly stages: ReadonlyMap<string, BuiltStage>
}

/** A stage whose instructions were carried out in a folder. */
export interface BuiltStage {
  /** In the place of the root of the file system. */
  readonly root: string
  readonly environment: Readonly<Record<string, string>>
  /** The last instruction of each name, among those that only describe the image. */
  readonly described: ReadonlyMap<string, Instruction>
}

/** A path from the root of the file system in a command or a value. */
const ABSOLUTE = /(?<![\w./*-])\/(?=\w)/g

/** What the base image has that runs no server. */
const PACKAGE_MANAGERS = ['npm', 'npx', 'corepack', 'yarn', 'yarnpkg']

/**
 * Carries out the instructions of a stage in a folder, which takes the place of the root of the file system:
 * paths in the instructions begin in it. The base image is represented by a Node and files in the place of npm.
 * Throws when a command fails, and for an instruction that it does not know.
 */
export function buildStage(
  root: string,
  instructions: readonly Instruction[],
  sources: StageSources,
): BuiltStage {
  representBaseImage(root)
  const environment: Record<string, string> = {}
  const described = new Map<string, Instruction>()
  let folder = root
  for (const instruction of instructions) {
    switch (instruction.name) {
      case 'WORKDIR':
        folder = join(root, instruction.rest)
        mkdirSync(folder, { recursive: true })
        break
      case 'COPY':
        copy(instruction, root, folder, sources)
        break
      case 'RUN':
        run(within(instruction.rest, root), folder, environment)
        break
      case 'ENV':
        for (const [, name = '', value = ''] of instruction.rest.matchAll(/(\w+)=(\S+)/g)) {
          environment[name] = within(value, root)
        }
        break
      default:
        described.set(instruction.name, instruction)
    }
  }
  return { root, environment, described }
}

function representBaseImage(root: string): void {
  const programs = join(root, 'usr/local/bin')
  mkdirSync(programs, { recursive: true })
  copyFileSync(process.execPath, join(programs, 'node'))
  for (const name of PACKAGE_MANAGERS) writeFileSync(join(programs, name), '')
  mkdirSync(join(root, 'usr/local/lib/node_modules/npm'), { recursive: true })
  mkdirSync(join(root, 'var/lib'), { recursive: true })
}

function copy(
  instruction: Instruction,
  root: string,
  folder: string,
  { context, files, stages }: StageSources,
): void {
  const words = wordsOf(instruction)
  const target = words.pop() ?? ''
  const to = target.startsWith('/') ? join(root, target) : join(folder, target)
  const from = instruction.flags.get('from')
  for (const source of words) {
    if (from !== undefined) {
      const stage = stages.get(from)
      if (stage === undefined) throw new Error(`there is no stage ${from}`)
      cpSync(join(stage.root, source), to, { recursive: true, verbatimSymlinks: true })
      continue
    }
    const wanted = files.filter((file) => source === '.' || file === source)
    if (wanted.length === 0) throw new Error(`the build context has no ${source}`)
    for (const file of wanted) {
      const isInto = source === '.' || target.endsWith('/')
      cpSync(join(context, file), isInto ? join(to, file) : to)
    }
  }
}

function run(command: string, folder: string, environment: Readonly<Record<string, string>>): void {
  // npm of the machine, but the project's Node.
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const { status } = spawnSync('sh', ['-c', command], {
    cwd: folder,
    env: { ...process.env, PATH: path, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`"${command}" ended with ${status}`)
}

/** Lets the paths of a text begin in a folder. */
function within(text: string, root: string): string {
  return text.replaceAll(ABSOLUTE, `${root}/`)
}
