import { Argument, type Command } from 'commander'
import { describeCommand } from './documents/described.ts'
import { text } from './strings/common.ts'

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
type Shell = (typeof SHELLS)[number]

/** `completion`, and `complete`, which the scripts that it prints run. `others`: the program without these two. */
export function addCompletionCommands(program: Command, others: () => Promise<Command>): void {
  const completion = program
    .command('completion')
    .description(text.completion.description)
    .addArgument(new Argument('<shell>', text.completion.shell).choices(SHELLS))
    .action(async (shell: Shell) => {
      const { default: tab } = await import('@bomb.sh/tab')
      tab.setup(program.name(), program.name(), shell)
    })
  describeCommand(completion)

  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const { default: ofProgram } = await import('@bomb.sh/tab/commander')
      ofProgram(await others(), { completionCommandName: 'completion' }).parse([...words])
    })
}
