ENTRY $name(const Count first, const Count count, TABLE, $buffers) {
    EACH(lane, count) {
        const Count i = first + lane;
        $body
    }
}
