import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  NoOperationTraceWriter,
  parseWorkflow,
  type TemplateParseResult,
} from '@actions/workflow-parser'
import { parseAction } from '@actions/workflow-parser/actions/action-parser'
import { parse } from 'yaml'
import { z } from 'zod'
import { collect } from '../docs/run.ts'
import { type Contexts, evaluate } from './expressions.ts'

const Values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

const Step = z.strictObject({
  id: z.string().optional(),
  name: z.string().optional(),
  run: z.string().optional(),
  uses: z.string().optional(),
  if: z.literal("runner.os == 'Linux'").optional(),
  shell: z.string().optional(),
  env: Values.default({}),
  with: Values.default({}),
})
export type Step = z.infer<typeof Step>

const Action = z.looseObject({
  inputs: z.record(
    z.string(),
    z.strictObject({
      description: z.string(),
      required: z.boolean().default(false),
      default: z.string().optional(),
    }),
  ),
  outputs: z.record(z.string(), z.strictObject({ description: z.string(), value: z.string() })),
  runs: z.strictObject({ using: z.literal('composite'), steps: z.array(Step) }),
})
export type Action = z.infer<typeof Action>

const Workflow = z.looseObject({
  jobs: z.record(z.string(), z.looseObject({ steps: z.array(Step) })),
})

/** Reads an `action.yml`. Throws what GitHub finds wrong with it. */
export function readAction(file: string): Action {
  const text = readFileSync(file, 'utf8')
  requireValid(parseAction({ name: file, content: text }, new NoOperationTraceWriter()))
  return Action.parse(parse(text))
}

/** Reads the jobs of a workflow, by name. Throws what GitHub finds wrong with it. */
export function readJobs(
  text: string,
): Readonly<Record<string, { readonly steps: readonly Step[] }>> {
  const file = { name: 'workflow.yml', content: text }
  requireValid(parseWorkflow(file, new NoOperationTraceWriter()))
  return Workflow.parse(parse(text)).jobs
}

/** What GitHub's parser, which its editors use, found. */
function requireValid({ context }: TemplateParseResult): void {
  const errors = context.errors.getErrors().map(({ message }) => message)
  if (errors.length > 0) throw new Error(errors.join('\n'))
}

/** What is there for the steps of a job. */
export interface Runner {
  /** The working folder of the steps. */
  readonly workspace: string
  readonly env: NodeJS.ProcessEnv
  readonly contexts: Contexts
  /** What stands for `uses:` of others, by the name before `@`: it leaves what the action would. */
  readonly actions: Readonly<Record<string, Action | ((step: Step) => void)>>
}

/** What steps have left behind. */
export interface Ran {
  readonly code: number | null
  /** What the steps wrote, to either stream. */
  readonly log: string
  /** By the ID of the step. */
  readonly outputs: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Runs the steps of a job one after the other, as a runner of GitHub Actions does, up to the first that fails. */
export async function runSteps(steps: readonly Step[], runner: Runner): Promise<Ran> {
  const outputs: Record<string, Record<string, string>> = {}
  const folders: string[] = []
  let log = ''
  for (const step of steps) {
    const stepOutputs = Object.entries(outputs).map(([id, values]) => [id, { outputs: values }])
    const contexts = { ...runner.contexts, steps: Object.fromEntries(stepOutputs) }
    const env = { ...runner.env, PATH: [...folders, runner.env.PATH].join(':') }
    const ran = await runStep(step, { ...runner, env, contexts })
    log += ran.log
    folders.unshift(...ran.folders)
    if (step.id !== undefined) outputs[step.id] = ran.outputs
    if (ran.code !== 0) return { code: ran.code, log, outputs }
  }
  return { code: 0, log, outputs }
}

interface StepRan {
  readonly code: number | null
  readonly log: string
  readonly folders: readonly string[]
  readonly outputs: Record<string, string>
}

async function runStep(step: Step, runner: Runner): Promise<StepRan> {
  if (step.run !== undefined) return await runScript(step, step.run, runner)
  const [name = ''] = (step.uses ?? '').split('@')
  const action = runner.actions[name]
  if (action === undefined) throw new Error(`nothing stands for ${name}`)
  if (typeof action === 'function') {
    action(step)
    return { code: 0, log: '', folders: [], outputs: {} }
  }
  const given = evaluated(step.with, runner.contexts)
  for (const input of Object.keys(given)) {
    if (!(input in action.inputs)) throw new Error(`${name} has no input ${input}`)
  }
  const inputs = Object.entries(action.inputs).map(([input, { required, default: usual = '' }]) => {
    if (required && !given[input]) throw new Error(`${name} needs the input ${input}`)
    return [input, given[input] ?? usual] as const
  })
  const env = { ...runner.env, ...evaluated(step.env, runner.contexts) }
  // An action sees its inputs, and neither secrets nor the outputs of other steps.
  const contexts = { inputs: Object.fromEntries(inputs) }
  const ran = await runSteps(action.runs.steps, { ...runner, env, contexts, actions: {} })
  const steps = Object.fromEntries(
    Object.entries(ran.outputs).map(([id, values]) => [id, { outputs: values }]),
  )
  const outputs = Object.entries(action.outputs).map(([output, { value }]) => {
    return [output, evaluate(value, { steps })] as const
  })
  return { code: ran.code, log: ran.log, folders: [], outputs: Object.fromEntries(outputs) }
}

let count = 0

async function runScript(step: Step, script: string, runner: Runner): Promise<StepRan> {
  const temp = join(runner.workspace, '..', 'runner')
  mkdirSync(temp, { recursive: true })
  count += 1
  const fileOf = (name: string) => {
    const file = join(temp, `${name}-${count}`)
    appendFileSync(file, '')
    return file
  }
  const [pathFile, outputFile, scriptFile] = [fileOf('path'), fileOf('output'), fileOf('script')]
  writeFileSync(scriptFile, evaluate(script, runner.contexts))
  // The options with which GitHub starts bash.
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', scriptFile], {
    cwd: runner.workspace,
    env: {
      ...runner.env,
      ...evaluated(step.env, runner.contexts),
      ...{ RUNNER_TEMP: temp, GITHUB_PATH: pathFile, GITHUB_OUTPUT: outputFile },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors] = [collect(child.stdout), collect(child.stderr)]
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const lines = (file: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  const outputs = lines(outputFile).map((line) => {
    const mark = line.indexOf('=')
    return [line.slice(0, mark), line.slice(mark + 1)] as const
  })
  return {
    ...{ code, log: output.text + errors.text },
    ...{ folders: lines(pathFile).reverse(), outputs: Object.fromEntries(outputs) },
  }
}

function evaluated(
  values: Readonly<Record<string, unknown>>,
  contexts: Contexts,
): Record<string, string> {
  const entries = Object.entries(values).map(([name, value]) => {
    return [name, evaluate(String(value), contexts)] as const
  })
  return Object.fromEntries(entries)
}
