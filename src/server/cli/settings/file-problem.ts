import { text } from '../strings/config.ts'
import { optionOf, type SettingName, variableOf } from './table.ts'

/** What makes the configuration file unusable, with the facts for its fix. */
export type FileProblem =
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** For want of a permission, on the file or on its folder. */
  | { readonly kind: 'denied'; readonly reason: string }
  | { readonly kind: 'not_a_file' }
  | { readonly kind: 'too_large'; readonly maxBytes: number }
  | { readonly kind: 'not_utf8' }
  | { readonly kind: 'not_json'; readonly place: string | undefined }
  | { readonly kind: 'too_deep'; readonly maxDepth: number }
  | { readonly kind: 'not_an_object' }
  | FieldProblem

/** What is wrong with one field. The value of a field that could be a secret is never in it. */
export type FieldProblem =
  | { readonly kind: 'repeated'; readonly field: string }
  | { readonly kind: 'unknown'; readonly field: string; readonly nearest: SettingName | undefined }
  | { readonly kind: 'secret'; readonly field: string; readonly file: SettingName | undefined }
  | { readonly kind: 'of_process'; readonly field: SettingName }
  | { readonly kind: 'data_folder'; readonly field: string }
  | {
      readonly kind: 'wrong'
      /** With the place in the field: `consoleHost.1`. */
      readonly field: string
      /** As JSON, shortened; undefined if it could be a secret. */
      readonly value: string | undefined
      readonly allowed: string
    }

const words = text.problems

/** Returns what is wrong with a configuration file, and how to fix it, in one line. */
export function problemSentence(problem: FileProblem): string {
  switch (problem.kind) {
    case 'unreadable':
    case 'denied':
      return words.unreadable(problem.reason)
    case 'not_a_file':
      return words.notAFile
    case 'too_large':
      return words.tooLarge(problem.maxBytes)
    case 'not_utf8':
      return words.notUtf8
    case 'not_json':
      return words.notJson(problem.place)
    case 'too_deep':
      return words.tooDeep(problem.maxDepth)
    case 'not_an_object':
      return words.notAnObject
    case 'repeated':
      return words.repeated(problem.field)
    case 'unknown':
      return words.unknown(problem.field, problem.nearest)
    case 'secret':
      return words.secret(problem.field, problem.file)
    case 'of_process':
      return words.ofProcess(problem.field, optionOf(problem.field), variableOf(problem.field))
    case 'data_folder':
      return words.dataFolder(problem.field)
    case 'wrong':
      return words.wrong(problem.field, problem.value, problem.allowed)
    default:
      return problem satisfies never
  }
}
