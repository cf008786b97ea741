import { Progress } from '@mantine/core'

interface Props {
  readonly label: string
  /** From 0 to 1. */
  readonly share: number
  /** What the bar shows, for those who do not see it. */
  readonly words: string
}

/** A bar whose value is read out in words. Those of the library say a percentage with all its digits. */
export function ProgressBar({ label, share, words }: Props) {
  const percent = Math.round(share * 100)
  return (
    <Progress.Root size="lg">
      <Progress.Section
        withAria={false}
        value={percent}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={words}
      />
    </Progress.Root>
  )
}
