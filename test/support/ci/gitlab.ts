import { spawn } from 'node:child_process'
import { parse } from 'yaml'
import { z } from 'zod'
import { collect } from '../docs/run.ts'

const Job = z.looseObject({
  extends: z.string().optional(),
  variables: z.record(z.string(), z.string()).default({}),
  script: z.array(z.string()).optional(),
})

/** How a job ended, and what it wrote to either stream. */
export interface JobRan {
  readonly code: number | null
  readonly log: string
}

/**
 * Runs a job of a GitLab pipeline, as a runner with bash does. `text`: the file of the pipeline; `template`: what it
 * includes. Variables name others as `$NAME`, and those of the project (`env`) count more than those of the job.
 */
export async function runGitlabJob(
  {
    text,
    template,
    name,
  }: { readonly text: string; readonly template: string; readonly name: string },
  { folder, env }: { readonly folder: string; readonly env: NodeJS.ProcessEnv },
): Promise<JobRan> {
  const job = Job.parse(parse(text)[name])
  const parent = Job.parse(job.extends === undefined ? {} : parse(template)[job.extends])
  const written = { ...parent.variables, ...job.variables }
  const variables = Object.entries(written).map(([key, value]) => {
    const expanded = value.replace(/\$([A-Za-z_]\w*)/g, (_, other: string) => env[other] ?? '')
    return [key, expanded] as const
  })
  const script = (job.script ?? parent.script ?? []).join('\n')
  const child = spawn('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...Object.fromEntries(variables), ...env, CI_PROJECT_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors] = [collect(child.stdout), collect(child.stderr)]
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, log: output.text + errors.text }
}
