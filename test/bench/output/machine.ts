import { cpus, totalmem } from 'node:os'
import { allowedCpus } from '../process/procfs.ts'

/** The machine in one line: processor, cores of this process, memory, Node. */
export function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  const cores = allowedCpus().length || cpus().length
  const memory = (totalmem() / 2 ** 30).toFixed(0)
  const system = `${process.platform} ${process.arch}`
  return `${model}, ${cores} cores, ${memory} GiB, ${system}, Node ${process.version}`
}
