import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeBuild } from '../support/builders/builds.ts'
import { runGitlabJob } from '../support/ci/gitlab.ts'
import { recordArguments, recordedArguments, writePackage } from '../support/ci/tools.ts'
import { released, startCiWorld } from '../support/ci/world.ts'
import { readPage } from '../support/docs/page.ts'
import { runShell } from '../support/docs/run.ts'
import { needs } from '../support/tools.ts'

const SCRIPT = '$(touch pwned) `touch pwned`\n"; touch pwned; "\nEND\ntouch pwned'

test('what is in the variables of the GitLab template is never run', needs('bash'), async () => {
  const { folder, env } = await startCiWorld()
  const template = readPage('build/ci/gitlab/tidegate.gitlab-ci.yml')
  const job = { text: 'publish:\n  extends: .tidegate-publish\n', template, name: 'publish' }
  const run = (variables: NodeJS.ProcessEnv) =>
    runGitlabJob(job, { folder, env: { ...env, ...variables } })
  const given = join(folder, '../arguments')
  const names = ['APP', 'CHANNEL', 'VERSION', 'FROM', 'FILES', 'URL_BASE', 'NOTES', 'ROLLOUT']
  const passedOn = [...names, 'TARGETS', 'IF_EXISTS', 'EXPECT'].map((name) => `TIDEGATE_${name}`)
  const ran = await run({
    TIDEGATE_PACKAGE: writePackage(join(folder, '../package'), recordArguments(given)),
    ...Object.fromEntries(passedOn.map((name) => [name, SCRIPT])),
  })
  expect(ran.code).toBe(3)
  const lines = (option: string) => SCRIPT.split('\n').map((line) => `--${option}=${line}`)
  expect(recordedArguments(given)).toEqual([
    ...['publish', `--if-exists=${SCRIPT}`, `--rollout=${SCRIPT}`],
    ...['expect', 'from', 'file', 'targets'].flatMap(lines),
    ...[`--url-base=${SCRIPT}`, `--notes=${SCRIPT}`, '--verify-urls', '--'],
    ...[SCRIPT, SCRIPT, SCRIPT],
  ])
  for (const name of ['DRAFT', 'UPLOAD', 'VERIFY_URLS']) {
    const refused = await run({ [`TIDEGATE_${name}`]: SCRIPT })
    expect([name, refused.code]).toEqual([name, 2])
  }
  await expect(runShell('! ls pwned', env, folder)).resolves.toBe('')
})

test(
  'jobs add to a draft, and one publishes it once nothing is missing',
  needs('bash'),
  async () => {
    const world = await startCiWorld()
    const { folder, env, server } = world
    const template = readPage('build/ci/gitlab/tidegate.gitlab-ci.yml')
    const project = {
      ...{ TIDEGATE_SERVER: server.address, TIDEGATE_KEY: server.key, TIDEGATE_APP: 'editor' },
      ...{ TIDEGATE_VERSION: '1.4.0', TIDEGATE_VERIFY_URLS: 'false' },
    }
    const run = (variables: NodeJS.ProcessEnv) => {
      const job = { text: 'publish:\n  extends: .tidegate-publish\n', template, name: 'publish' }
      return runGitlabJob(job, { folder, env: { ...env, ...project, ...variables } })
    }
    const add = (file: string) =>
      run({
        ...{ TIDEGATE_DRAFT: 'add', TIDEGATE_FILES: `linux/x86_64=${file}` },
        ...{ TIDEGATE_URL_BASE: 'https://downloads.example/', TIDEGATE_NOTES: 'CHANGELOG.md#' },
      })
    const publish = (more: NodeJS.ProcessEnv = {}) =>
      run({
        ...{ TIDEGATE_DRAFT: 'publish', TIDEGATE_ROLLOUT: '10', ...more },
        TIDEGATE_EXPECT: 'linux/x86_64/deb\nlinux/x86_64/rpm\n',
      })
    writeBuild(folder, { 'editor.deb': 'd', 'editor.rpm': 'r' })
    expect((await add('editor.deb')).log).toContain(
      'Draft of 1.4.0 on editor/stable with 1 artifact',
    )
    const early = await publish()
    expect([early.code, early.log]).toEqual([
      3,
      expect.stringContaining('no artifact for linux x86_64 rpm'),
    ])
    const rollout = await run({ TIDEGATE_DRAFT: 'add', TIDEGATE_ROLLOUT: '10' })
    expect([rollout.code, rollout.log]).toEqual([2, expect.stringContaining('--rollout')])
    expect((await run({ TIDEGATE_DRAFT: 'keep' })).log).toBe(
      'TIDEGATE_DRAFT must be add or publish\n',
    )
    expect(await add('editor.rpm')).toMatchObject({ code: 0 })
    expect(await publish()).toMatchObject({ code: 0 })
    // A job that runs again changes nothing.
    expect(await publish()).toMatchObject({ code: 0 })
    expect(await released(world)).toMatchObject({
      ...{ notes: 'Fast.', rolloutPct: 10 },
      artifacts: [{ kind: 'deb' }, { kind: 'rpm' }],
    })
  },
)
