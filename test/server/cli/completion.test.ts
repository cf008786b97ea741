import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { refusal, startCommand } from '../../support/processes/cli.ts'
import { needs } from '../../support/tools.ts'

const CLI = join(import.meta.dirname, '../../../src/server/cli.ts')

/** What the package bash-completion has, as far as the script uses it. */
const WORDS = `_get_comp_words_by_ref() { words=("\${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur=\${words[cword]}; }`

test('bash completes commands and options', needs('bash'), async () => {
  const folder = temporaryFolder()
  const program = join(folder, 'tidegate')
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`)
  chmodSync(program, 0o755)
  const { stdout: script } = await startCommand(['completion', 'bash']).ended
  const complete = (...words: string[]) => {
    const line = words.map((word) => `'${word}'`).join(' ')
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-s'], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
      input: `${WORDS}\ncompopt() { :; }\n${script}
COMP_WORDS=(tidegate ${line}); COMP_CWORD=${words.length}; COMP_LINE=''
__tidegate_complete; printf '%s\\n' "\${COMPREPLY[@]}"`,
    })
    expect(stderr).toBe('')
    return stdout.trim().split('\n')
  }
  expect(complete('rel')).toEqual(['release'])
  expect(complete('app', '')).toEqual(expect.arrayContaining(['create', 'list']))
  expect(complete('key', 'list', '--ser')).toEqual(['--server'])
  expect(complete('completion', 'z')).toEqual(['zsh'])
})

test.each(['zsh', 'fish', 'powershell'])('there is a script for %s', async (shell) => {
  const { code, stdout, stderr } = await startCommand(['completion', shell]).ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('tidegate complete')
})

test('another shell is wrong usage', async () => {
  const ended = await startCommand(['completion', 'tcsh']).ended
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(refusal(ended)).toContain('bash, zsh, fish, powershell')
})
