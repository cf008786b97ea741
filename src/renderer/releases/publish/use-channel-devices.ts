import { useQuery } from '@tanstack/react-query'
import { server } from '../../bridge/clients.ts'

/** Returns how many devices are known on a channel; undefined until that is known. */
export function useChannelDevices(app: string, channel: string): number | undefined {
  const { data } = useQuery(server.overview.get.queryOptions())
  const channels = data?.apps.find(({ ref }) => ref === app)?.channels
  return channels?.find(({ name }) => name === channel)?.devices
}
