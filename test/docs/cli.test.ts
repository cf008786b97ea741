import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { documentedProgram } from '../../build/cli/commands.ts'
import { createProgram } from '../../src/server/cli/program.ts'
import { PageCode, readPage } from '../support/docs/page.ts'

const { commands } = await documentedProgram()

test('has no code blocks, and every example is one that the program accepts', async () => {
  expect(new PageCode('docs/cli.md').left).toEqual([])
  const examples = readPage('docs/cli.md').match(/^- `tidegate .+`$/gm) ?? []
  expect(examples.length).toBeGreaterThan(commands.length)
  for (const example of examples) {
    const ran = await runWithoutEffect(example.slice('- `tidegate '.length, -1))
    expect(ran, example).toBe(true)
  }
})

test('every command has an example, and describes what it prints as JSON', () => {
  for (const { name, examples, document } of commands) {
    expect(examples, name).not.toHaveLength(0)
    expect([name, document !== undefined]).toEqual([name, !['serve', 'completion'].includes(name)])
  }
})

function withChildren(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...withChildren(child)])
}

/** Parses a command line as a shell does where it only quotes words, and runs nothing. Returns whether it would run. */
async function runWithoutEffect(line: string): Promise<boolean> {
  const [command = ''] = line.split(/ >>? /)
  // What stands for the rest of a fingerprint.
  const whole = command.replace('AB:12:…', Array(32).fill('AB').join(':'))
  const words = (whole.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''))
  const program = await createProgram()
  let ran = false
  for (const child of withChildren(program)) {
    if (child.commands.length > 0) continue
    child.action(() => {
      ran = true
    })
  }
  await program.parseAsync(words, { from: 'user' })
  return ran
}
