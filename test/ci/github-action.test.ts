import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { writeBuild } from '../support/builders/builds.ts'
import { temporaryFolder } from '../support/builders/folders.ts'
import { readAction, runSteps, type Step } from '../support/ci/github.ts'
import { recordArguments, recordedArguments, writeTool } from '../support/ci/tools.ts'
import { type CiWorld, released, runnerOf, startCiWorld } from '../support/ci/world.ts'
import { ROOT } from '../support/docs/page.ts'
import { runShell } from '../support/docs/run.ts'
import { needs } from '../support/tools.ts'

const ACTION = join(ROOT, 'build/ci/github/action.yml')

let world: CiWorld

beforeEach(async () => {
  world = await startCiWorld()
})

const SCRIPT = '$(touch pwned) `touch pwned` "; touch pwned; " \'; touch pwned; \''

test('what is in the inputs is never run', needs('bash'), async () => {
  const { folder, store } = world
  writeBuild(folder, { [`a ${'$(touch pwned)'}.exe`]: 'x', 'notes.md': SCRIPT })
  store.files.set(`a ${'$(touch pwned)'}.exe`, 'x')
  const runner = runnerOf(world)
  const use = (more: Readonly<Record<string, string>>, env = world.env) => {
    const step: Step = {
      ...{ id: 'tidegate', uses: './.github/actions/tidegate', env: {} },
      with: {
        ...{ server: world.server.address, key: world.server.key, app: 'editor' },
        ...{ version: '1.4.0', 'url-base': store.address, notes: 'notes.md' },
        files: `\nwindows/x86_64=a ${'$(touch pwned)'}.exe\n`,
        ...more,
      },
    }
    return runSteps([step], { ...runner, env })
  }
  const given = join(folder, '../arguments')
  const recorder = writeTool(join(folder, '../recorder'), 'tidegate', recordArguments(given))
  const inputs = ['app', 'channel', 'version', 'from', 'files', 'url-base', 'notes', 'rollout']
  const passedOn = [...inputs, 'targets', 'expect', 'if-exists', 'server', 'key']
  const recorded = await use(Object.fromEntries(passedOn.map((input) => [input, SCRIPT])), {
    ...world.env,
    PATH: `${recorder}:${world.env.PATH}`,
  })
  expect(recorded.code).toBe(3)
  const options = ['if-exists', 'rollout', 'expect', 'from', 'file', 'targets', 'url-base', 'notes']
  expect(recordedArguments(given)).toEqual([
    ...['publish', '--json', ...options.map((option) => `--${option}=${SCRIPT}`)],
    ...['--verify-urls', '--', SCRIPT, SCRIPT, SCRIPT],
  ])
  for (const input of ['verify-urls', 'upload', 'draft', 'server', 'key']) {
    const ran = await use({ [input]: SCRIPT })
    expect([input, ran.code]).not.toEqual([input, 0])
  }
  expect(await released(world)).toBeUndefined()
  const ran = await use({ targets: `ring=${SCRIPT}\nring=--rollout=5\n`, channel: '' })
  expect(ran.code).not.toBe(0)
  const good = await use({ targets: `ring=${SCRIPT}\nring=--rollout=5\n` })
  expect([good.code, good.log]).toEqual([0, expect.stringContaining('Verified')])
  const release = await released(world)
  expect(release).toMatchObject({
    ...{ notes: SCRIPT, rolloutPct: 100 },
    targets: { matchLabels: { ring: [SCRIPT, '--rollout=5'] } },
  })
  expect(good.outputs.tidegate).toEqual({
    ...{ version: '1.4.0', created: 'true', release: JSON.stringify(release) },
  })
  const again = await use({ targets: 'ring=beta' })
  expect(again.outputs.tidegate).toMatchObject({ version: '1.4.0', created: 'false' })
  await expect(runShell('! ls pwned', world.env, folder)).resolves.toBe('')
})

test.each([
  ['color: blue', 'colour: blue', "Unexpected value 'colour'"],
  ['inputs.package }}', 'inputs. }}', "Unexpected symbol: 'EOF'"],
  ['shell: bash', 'shel: bash', "Unexpected value 'shel'"],
])('an action with a mistake is not valid: %s as %s', (right, wrong, message) => {
  const text = readFileSync(ACTION, 'utf8')
  const file = join(temporaryFolder(), 'action.yml')
  writeFileSync(file, text.replace(right, wrong))
  expect(() => readAction(file)).toThrow(message)
})

test('no script of the action contains an expression', () => {
  const { runs } = readAction(ACTION)
  expect(runs.steps.length).toBeGreaterThan(0)
  for (const { run } of runs.steps) expect(run).not.toContain('${{')
})

test('a runner without the command line is told', needs('bash'), async () => {
  const runner = runnerOf(world)
  const [, ...folders] = (world.env.PATH ?? '').split(':')
  const [install] = readAction(ACTION).runs.steps
  const contexts = { inputs: { package: '' } }
  const env = { ...world.env, PATH: folders.join(':') }
  const ran = await runSteps(install === undefined ? [] : [install], { ...runner, env, contexts })
  expect(ran).toMatchObject({ code: 1, log: expect.stringContaining('Set the input package.') })
})
