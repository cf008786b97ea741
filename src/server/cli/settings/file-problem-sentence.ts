import { text } from '../strings/config.ts'
import type { FileProblem } from './file-problem.ts'
import { optionOf, variableOf } from './table.ts'

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
