import { recorded } from './recorded.ts'
import { standIn } from './stand-in.ts'

const lastArgument = (args: readonly unknown[]): object => Object(args.at(-1))

/** Recorded, and answered as if a person pressed Enter. */
export const dialog = standIn('dialog', {
  showMessageBox: async (...args: unknown[]) => {
    recorded.dialogs.push(lastArgument(args))
    return { response: 0, checkboxChecked: false }
  },
  showMessageBoxSync: (...args: unknown[]) => {
    const options = lastArgument(args)
    recorded.dialogs.push(options)
    return Number(Reflect.get(options, 'defaultId') ?? 0)
  },
  showErrorBox: (title: string, content: string) => {
    recorded.dialogs.push({ title, content })
    // There is no window to show it.
    process.stderr.write(`${title}\n${content}\n`)
  },
  showOpenDialog: async (...args: unknown[]) => {
    recorded.dialogs.push(lastArgument(args))
    return { canceled: true, filePaths: [] }
  },
  showSaveDialog: async (...args: unknown[]) => {
    recorded.dialogs.push(lastArgument(args))
    return { canceled: true, filePath: '' }
  },
})
