/** Whether only the programs in PATH count as installed; see `test/bare/run.ts`. */
export const isBare = process.env.TIDEGATE_TEST_BARE === 'true'
