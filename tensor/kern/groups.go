// Reference loops of groups of elements with one number each.

package kern

func addGroups[T Float](dst, x, y []T, group int) { eachGroup(dst, x, y, group, addScalar) }
func subGroups[T Float](dst, x, y []T, group int) {
	eachGroup(dst, x, y, group, func(dst, x []T, c T) { addScalar(dst, x, -c) })
}
func mulGroups[T Float](dst, x, y []T, group int) { eachGroup(dst, x, y, group, mulScalar) }
func divGroups[T Float](dst, x, y []T, group int) { eachGroup(dst, x, y, group, divScalar) }

func eachGroup[T Float](dst, x, y []T, group int, f func(dst, x []T, c T)) {
	for g, c := range y {
		f(dst[g*group:(g+1)*group], x[g*group:], c)
	}
}

func setGroups[T Float](dst, y []T, group int) {
	for g, c := range y {
		row := dst[g*group : (g+1)*group]
		for k := range row {
			row[k] = c
		}
	}
}
