import { Text } from '@mantine/core'
import { Notice } from '../components/notice.tsx'
import { FAILURE_TITLE } from './strings.ts'

/** Says why a server cannot be connected to; nothing without a sentence. */
export function FailureNotice({ sentence }: { readonly sentence: string | undefined }) {
  if (sentence === undefined) return null
  return (
    <Notice color="red" title={FAILURE_TITLE}>
      <Text size="sm">{sentence}</Text>
    </Notice>
  )
}
