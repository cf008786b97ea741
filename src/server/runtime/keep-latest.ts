/** Sets an entry as the latest of a map, and deletes the first ones beyond `most`. */
export function keepLatest<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  most: number,
): void {
  map.delete(key)
  map.set(key, value)
  for (const first of map.keys()) {
    if (map.size <= most) return
    map.delete(first)
  }
}
