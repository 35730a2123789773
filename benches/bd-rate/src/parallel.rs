//! Work in two threads.

/// In two threads, in the order of what is given.
pub fn parallel<T: Sync, R: Send>(work: &[T], run: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let results = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(item) = {
                    let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    work.get(index).map(|item| (index, item))
                } {
                    let result = run(item.1);
                    results.lock().unwrap().push((item.0, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap();
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}
